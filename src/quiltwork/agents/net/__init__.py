"""The net: what it sees, and the tree search that it guides.

In the order in which they build on each other:

    sight    an edition as the net sees it: shapes in small windows, symmetries
    inputs   a position as the net sees it: bit planes, windows and numbers
    tree     the search: Gumbel at the root, PUCT below, chance sampled
    games    many games at once, for self-play and for matches of nets
    lessons  samples of self-play as rows for a learner
    search   rounds of simulations in one tree
    model    a trained net through onnxruntime
    agent    the agent `net`
"""
