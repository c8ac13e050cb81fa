"""Graph transduction: labels spread along similarities, as a game between items that decide.

`spreading` is the game, `affinity_rows` the similarities it needs, `second_scale` a narrower
similarity for it, `class_payoffs` what keeps a round cheap.
"""
