"""A judge of whole decisions: concrete data sets, actual noise, and what a program's answer is worth against them.

A case is a decision file together with the data it speaks of: every person the data allow, what each of them adds to
every table, and the noise that the file describes. What a requirement forbids is worked out from these by enumeration,
quadrature or convolution. Nothing here is imported from the program; it is called as any user calls it.
"""
