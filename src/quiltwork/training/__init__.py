"""Training of the net by self-play; needs the extra `train` (torch).

In the order in which they build on each other:

    config      one file with all settings of a run
    lessons     games of the search against itself, and what they teach (compiled)
    players     who plays them: threads, or the machines of a Ray cluster
    network     the net, in torch
    replay      the newest lessons
    learner     one step of learning
    checkpoint  what a run continues from
    measure     how strong a net is against fixed opponents
    progress    how far a run is, on a terminal
    run         the whole loop
    report      the log of a run as text and as a plot
"""
