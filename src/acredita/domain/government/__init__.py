"""Checks of a person with the government registries: RENAPO, INE and SAT.

`queries` plans the questions from the data of a document. `responses` has the registries' answers.
`matching` compares the two. `providers.government` sends the questions.
"""
