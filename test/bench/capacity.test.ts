import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capacityText, tablesOf } from '../../bench/capacity-report.ts'
import { lineThrough } from '../../bench/support/line.ts'

const CPU = { serviceMs: 1, postgresMs: 0.5 }

test('a line through points on it has their slope, and says how far a point lies beside it', () => {
  const exact = lineThrough([
    [1, 12],
    [10, 30],
    [100, 210],
  ])
  assert.deepEqual([exact.fixed, exact.each, exact.offPercent].map(Math.round), [10, 2, 0])
  assert.equal(Math.round(exact.at(1_000)), 2_010)
  const bent = lineThrough([
    [0, 0],
    [1, 10],
    [2, 0],
  ])
  assert.equal(Math.round(bent.offPercent), 67)
})

test('a hundred thousand tenants take a thousand times what a hundred take', () => {
  const entries = [1_000, 10_000, 50_000].map((size) => ({
    size,
    tables: tablesOf([
      { name: 'entries', bytes: size * 3_000 },
      { name: 'tenants', bytes: 8_192 },
    ]),
    bulkCpu: CPU,
    writeCpu: CPU,
    searchCpu: CPU,
    buildSeconds: size / 10_000,
    indexBytes: size * 2_000,
    memoryMb: size / 300,
  }))
  const tenants = [10, 100, 1_000].map((size) => ({
    size,
    bytes: size * 1_000,
    makeCpu: CPU,
    searchCpu: CPU,
    indexBytes: size * 30_000,
    memoryMb: size / 30,
  }))
  const machine = { processor: 'P', threads: 1, memoryGb: 1, system: 'S', node: 'v26', date: '2026-01-01', load: 0 }
  const text = capacityText({ machine, entries, tenants, entriesOfATenant: 10 })
  assert.match(text, /\| `entries` +\| +3,000 \|/)
  assert.match(text, /\| +100,000 \| +100 \| +0\.3 \| +0\.2 \| +1 \|/)
  assert.match(text, /\| 100,000,000 \| 100,000 \| +279\.5 \| +186\.3 \| +47 \| +41\.7 \|/)
  assert.match(text, /\| +500,000 \| +1\.4 \| +0\.93 \| +50 \| not known +\| yes +\| yes/)
  assert.match(text, /\| +5,000,000 \| .+\| +no: pgvector +\|/)
})
