"""Irregularities, and what follows from them (I-1 to I-17): decision tables as data, and a small evaluator.

What happened has an id. A house (`RuleSet.rulings`) has a table for it, or takes that of the Tournament Directors
Association where its own rules are silent. A table asks for facts, one at a time, until one of its rows is left: that
row names the procedure, its source, and what becomes of the hand. All texts are pairs of Czech and English, side by
side (`words.Words`).
"""
