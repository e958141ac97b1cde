/** Questions that a former benchmark answered, for docs/benchmarks.md. */
export const SETTLED = `## Settled

What was decided by a measurement that nobody has to repeat. No command makes these figures again. All are from two shared threads of an AMD EPYC.

| question | answer | measured |
| --- | --- | --- |
| What do merchandising rules and synonyms cost a search? | With 200 rules and 1,000 synonyms 0.2 ms of processor time, and 15 ms where they are read anew: a process keeps them | 2026-11-22 |
| What does the search log cost? | 8.9 µs a search in the thread that answers. Counting a million searches of 90 days takes 1.28 s of processor time, learning from them 15.8 s and 66 MB: a thread of its own does both, from the rows and two covering indexes | 2026-11-21 |
| What does a key typed into a search box cost? | 0.35 ms in the median; of the processor time of a search 0.253 on one connection and 0.327 on sixteen, where 0.25 was wanted: suggestions need neither vectors nor whole rows | 2026-11-22 |
| Does the cache of excerpts pay? | Without it a list of ten with excerpts and chosen fields takes half as much processor time again: the cache stays | 2026-11-22 |
| What do facets, filters and orders of products cost? | Facets over attributes 1.16 times a search without, disjunctive ones with a filter 1.55, an order by price 1.10: the lists of values that the index has suffice | 2026-11-22 |
| How fast does an operator make tenants? | 300 with settings and a key in 18 s on a busy machine, where 60 were allowed; the usage of all in one call in 41 ms | 2026-11-26 |`
