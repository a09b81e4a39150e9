"""Training of the net by self-play; needs the extra `train` (torch).

In the order in which they build on each other:

    config    one file with all settings of a run
    network   the net, in torch
    engine    the net on a device, for many positions at once
    replay    what was played, and batches of it
    learner   one step of learning
    matches   how strong a net is against fixed opponents
    run       the whole loop, with checkpoints
    export    the net as ONNX, for the agent
    report    the log of a run as text and as a plot
"""
