"""The exact endgame: `solver.py` answers, `alpha_beta.py` searches, `moves.py` lists what can still matter."""
