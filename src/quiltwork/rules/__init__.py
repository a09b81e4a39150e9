"""The rules kernel: the only statement of the rules, compiled with Numba.

In the order in which they build on each other:

    compiler   the decorator, and the cache that notices changes
    layout     the records of an edition and of a position
    bits       words of 64 bits
    tables     an edition's data as a record
    quilt      where patches fit
    steps      the rulebook, one function a step
    start      the start of a game
    moves      moves as integer codes: list them, play them
    legality   the reason why a move is illegal
    chance     random numbers for callers, and the deal of the reserve
    playout    random games
    hashing    a 64-bit key of a position
    perft      counting sequences of moves
"""
