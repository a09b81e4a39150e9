"""Other programs as agents: `cmd:PROGRAM` and `codingame:PROGRAM`.

protocol    the analysis protocol, one reader and one writer for both ends
program     a child process, guarded against all that it may do
external    a program that speaks the analysis protocol, as one of our agents
codingame   a bot of the CodinGame arena as one of our agents, and ours as a bot of that arena
"""
