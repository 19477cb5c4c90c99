"""What the government's registries can be asked of a person, and what their answers mean.

`questions` plans what to ask from what a document says; `answers` are the registries' own words;
`judgement` sets the two against each other. Who carries the questions is in `providers.government`.
"""
