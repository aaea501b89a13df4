"""Intruders on actual releases: data, noise, a belief about everybody, and the best few symbols to publish.

A game is one release: what one person adds to each number with each value, what the intruder holds possible for all
others, and the noise. The release is rounded and clamped, and then published as few symbols, chosen by search so that
as many people as possible of whom a thing is true are believed to more than a cap. Nothing here is imported from the
program.
"""
