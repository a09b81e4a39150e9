"""How puzzles are found in games of middling agents, and verified.

games      the games, and what is looked at in them
decisions  CHOOSE and PLACE: one clearly best decision, valued with ten times a review's effort
endgames   ENDGAME: proved by the exact search
finishes   FINISH: proved by an exact cover
rate       which levels solve a puzzle, and what it is about
run        all of it, on every core, resumable
"""
