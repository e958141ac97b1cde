import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesFrom, linesOf } from '../../console/src/pages/judged-set/lines.ts'

test('exported lines are read as they were, and faulty lines by their number', () => {
  const id = '00000000-0000-7000-8000-000000000001'
  const queries = [{ id, query: 'eine "Frage"\nmit Umbruch', judgments: [{ id, grade: 2, title: 'Titel' }] }]
  const value = { query: queries[0].query, judgments: [{ id, grade: 2 }] }
  assert.deepEqual(linesOf(linesFrom(queries)), { lines: [{ line: 1, value }], bad: [] })
  const mixed = `\uFEFF\n${JSON.stringify(value)}\r\nno json\n{"query": 5, "judgments": []}\nnull\n`
  assert.deepEqual(linesOf(mixed), { lines: [{ line: 2, value }], bad: [3, 4, 5] })
})
