import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Database } from '../../platform/database/database.ts'
import type { Filter } from '../engine.ts'
import { whyNoPgvector, withPgvector } from '../../../test/support/pgvector.ts'
import { ChangingSource } from '../../../test/support/search/changing-source.ts'
import { bound, DEFINITION, documents, filters } from '../../../test/support/search/documents.ts'
import { inTier } from '../../../test/support/tier.ts'
import { splitBounds } from './moving-bounds.ts'
import { ReplicaHost } from './replica-host.ts'
import { dropReplicas } from './replica-store.ts'
import { tablesOf } from './tables-store.ts'
import { TotalsMemory } from './totals-memory.ts'
import { countVisible } from './words-store.ts'

describe('totals of a replica', { skip: whyNoPgvector() }, () => {
  let database: Database
  let tenants = 0

  withPgvector((opened) => {
    database = opened
  })

  test('that were counted for other bounds of a filter are those that would be counted now', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source])
    let remembered = 0
    const property = fc.asyncProperty(
      fc.array(documents(1), { minLength: 1, maxLength: 12 }),
      filters,
      fc.array(fc.array(bound, { minLength: 8, maxLength: 8 }), { minLength: 2, maxLength: 6 }),
      async (puts, filter, moments) => {
        const tenantId = `t${tenants++}`
        for (const put of puts) source.put(tenantId, put)
        await host.warm(source.versionOf(tenantId))
        const tables = tablesOf(source.versionOf(tenantId))
        const replica = { queries: database.queries, definition: DEFINITION, tables }
        const memory = new TotalsMemory()
        for (const values of moments) {
          const moved = splitBounds(movedTo(filter, [...values]))
          const counted = await countVisible(replica, moved)
          let isMade = false
          const cached = await memory.get(moved.shape, moved.bounds, 1, async () => {
            isMade = true
            return counted
          })
          if (!isMade && moved.bounds.length > 0) remembered++
          assert.deepEqual([cached.documents, cached.lengthSum], [counted.documents, counted.lengthSum])
        }
        await dropReplicas(database, tenantId)
      },
    )
    await fc.assert(property, { numRuns: inTier({ gate: 20, all: 60 }) })
    assert.ok(remembered > 0)
  })
})

/** Returns a filter with other bounds. */
function movedTo(filter: Filter, values: (number | null)[]): Filter {
  if ('all' in filter) return { all: filter.all.map((part) => movedTo(part, values)) }
  if ('any' in filter) return { any: filter.any.map((part) => movedTo(part, values)) }
  if ('not' in filter) return { not: movedTo(filter.not, values) }
  if (!('above' in filter)) return filter
  const next = (at: number | null): number | null => (at === null ? null : (values.pop() ?? at))
  return { ...filter, above: next(filter.above), below: next(filter.below) }
}
