import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnswersReport, answersText, judgeAnswers } from '../../bench/answers-report.ts'
import { judgeSuggestions } from '../../bench/suggest-report.ts'

const costs = (...all: readonly (readonly [string, number])[]) =>
  all.map(([name, cpuMs]) => ({ name, cpuMs, bytes: 8_000 }))
const groupsWith = (excerpts: number, facets: number): AnswersReport['groups'] => [
  costs(['hybrid, whole entries', 1], ['hybrid, fields', 0.9], ['hybrid, excerpts and fields', excerpts]),
  costs(['keyword, whole entries', 2], ['keyword, fields', 2], ['keyword, excerpts and fields', 2.2]),
  costs(['products', 3], ['facets over attributes', facets]),
]

test('excerpts may cost a tenth more than whole entries, and facets as much as the search again', () => {
  const met = (excerpts: number, facets: number) => judgeAnswers(groupsWith(excerpts, facets)).map((each) => each.met)
  assert.deepEqual(met(1.1, 6), [true, true, true])
  assert.deepEqual(met(1.11, 6.1), [false, true, false])
})

test('a requirement without a measurement is an error, and the page shows each with its figure', () => {
  assert.throws(() => judgeAnswers(groupsWith(1, 1).slice(0, 2)), /facets over attributes/)
  const groups = groupsWith(1.2, 3)
  const machine = { processor: 'P', threads: 1, memoryGb: 1, system: 'S', node: 'v26', date: '2026-01-01', load: 0 }
  const text = answersText({ machine, products: 50_000, searches: 1_500, groups, requirements: judgeAnswers(groups) })
  assert.match(text, /\| hybrid, excerpts and fields: at most 1\.1 times [^|]*\| +1\.20 \| no +\|/)
  assert.match(text, /\| facets over attributes: at most 2 times [^|]*\| +1\.00 \| yes \|/)
})

test('a key may take five milliseconds and a quarter of what the search costs', () => {
  const figures = { perSecond: 1, p99Ms: 9, cpuPer1000: 1 }
  const rows = (p50Ms: number, cpuPer1000: number) => [
    { what: 'search' as const, connections: 1, figures: { ...figures, p50Ms: 9, cpuPer1000: 4 } },
    { what: 'suggestions' as const, connections: 1, figures: { ...figures, p50Ms, cpuPer1000 } },
  ]
  const met = (p50Ms: number, cpu: number) => judgeSuggestions(rows(p50Ms, cpu) as never).map((each) => each.met)
  assert.deepEqual(met(5, 1), [true, true])
  assert.deepEqual(met(5.1, 1.1), [false, false])
})
