import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Database } from '../../platform/database/database.ts'
import type { SearchRequest } from '../engine.ts'
import { whyNoPgvector, withPgvector } from '../../../test/support/pgvector.ts'
import { ChangingSource } from '../../../test/support/search/changing-source.ts'
import { DEFINITION, documents } from '../../../test/support/search/documents.ts'
import { naiveSearch, plainAnalyser } from '../../../test/support/search/naive.ts'
import { requests, shortRequests } from '../../../test/support/search/requests.ts'
import { assertSameAnswer } from '../../../test/support/search/same-answer.ts'
import { inTier } from '../../../test/support/tier.ts'
import { languageAnalyser, type TextAnalyser } from '../indexing/text-analyser.ts'
import { ReplicaHost } from './replica-host.ts'
import { dropReplicas } from './replica-store.ts'

const RUNS = inTier({ gate: 10, all: 40 })

describe('replicas on PostgreSQL with pgvector', { skip: whyNoPgvector() }, () => {
  let database: Database
  let tenants = 0

  withPgvector((opened) => {
    database = opened
  })

  const searches = (dimensions: number) =>
    fc.oneof({ weight: 5, arbitrary: requests(dimensions) }, shortRequests(dimensions))

  const steps = (dimensions: number) =>
    fc.array(
      fc.oneof(
        { weight: 12, arbitrary: documents(dimensions).map((put) => ({ put })) },
        { weight: 2, arbitrary: fc.nat(23).map((n) => ({ remove: `d${n}` })) },
        { weight: 1, arbitrary: searches(dimensions).map((search) => ({ search })) },
      ),
      { maxLength: 40, size: 'max' },
    )

  const assertExact = async (dimensions: number, analyser: TextAnalyser, numRuns: number): Promise<void> => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source], { analyser })
    const assertSame = async (tenantId: string, search: SearchRequest): Promise<void> => {
      const request = { ...search, version: source.versionOf(tenantId) }
      const living = source.living(tenantId)
      const answer = await host.search(request)
      assertSameAnswer(answer, naiveSearch(DEFINITION, living.documents, request, analyser), living.seqs)
      assert.equal(answer.isExact, true)
    }
    const property = fc.asyncProperty(
      steps(dimensions),
      fc.array(searches(dimensions), { minLength: 1, maxLength: 10 }),
      async (history, last) => {
        const tenantId = `t${tenants++}`
        for (const step of history) {
          if ('put' in step) source.put(tenantId, step.put)
          else if ('remove' in step) source.remove(tenantId, step.remove)
          else await assertSame(tenantId, step.search)
        }
        for (const request of last) await assertSame(tenantId, request)
        await dropReplicas(database, tenantId)
      },
    )
    await fc.assert(property, { numRuns })
  }

  for (const dimensions of [1, 5, 48]) {
    test(`answers about few documents equal brute force after changes (${dimensions} dimensions)`, async () => {
      await assertExact(dimensions, plainAnalyser, RUNS)
    })
  }

  test('answers about few documents equal brute force with the real text analysis', async () => {
    await assertExact(3, languageAnalyser, RUNS)
  })

  test('a search that ranks only a part finds nothing else, and scores what it finds as if it had ranked all', async () => {
    const source = new ChangingSource(DEFINITION)
    const host = new ReplicaHost(database, [source], { analyser: plainAnalyser, exactMax: 0 })
    let hits = 0
    const property = fc.asyncProperty(
      fc.array(documents(5), { minLength: 5, maxLength: 24 }),
      fc.array(requests(5), { minLength: 1, maxLength: 6 }),
      async (puts, searches) => {
        const tenantId = `t${tenants++}`
        for (const put of puts) source.put(tenantId, put)
        for (const each of searches) {
          // The weight of the cosine, boosts and groups depend on all that is ranked.
          const plain = { byQuery: undefined, boosts: undefined, groups: null, offset: 0, limit: 100 }
          const request = { ...each, ...plain, version: source.versionOf(tenantId) }
          const answer = await host.search(request)
          const expected = naiveSearch(DEFINITION, source.living(tenantId).documents, request, plainAnalyser)
          const scores = new Map(expected.hits.map(({ id, score }) => [id, score]))
          assert.ok(answer.total <= expected.total)
          if (answer.hits.length > 0) assert.equal(answer.isExact, false)
          for (const { id, score } of answer.hits) assert.ok(Math.abs(score - scores.get(id)!) <= 1e-9)
          hits += answer.hits.length
        }
        await dropReplicas(database, tenantId)
      },
    )
    await fc.assert(property, { numRuns: inTier({ gate: 20, all: 60 }) })
    assert.ok(hits > inTier({ gate: 30, all: 100 }), `${hits} hits`)
  })

  test('two processes that bring one replica up to date at once find every write', async () => {
    const source = new ChangingSource(DEFINITION, 2)
    const hosts = [1, 2].map(() => new ReplicaHost(database, [source], { analyser: plainAnalyser }))
    const plain = { mode: 'keyword', vector: null, offset: 0, limit: 100, minSimilarity: null } as const
    for (let round = 0; round < 8; round++) {
      for (let n = 0; n < 9; n++) {
        source.put('shared', {
          id: `d${round}-${n}`,
          language: 'en',
          changedAt: n,
          group: `g${n}`,
          text: { title: ['lamp'] },
          keys: {},
          numbers: {},
          passages: [],
        })
      }
      const request: SearchRequest = {
        ...plain,
        version: source.versionOf('shared'),
        query: 'lamp',
        visible: { all: [] },
        filter: { all: [] },
        vectorWeight: 0,
        groups: null,
        explain: false,
      }
      const answers = await Promise.all(hosts.map((host) => host.search(request)))
      assert.deepEqual(
        answers.map(({ total }) => total),
        [9 * (round + 1), 9 * (round + 1)],
      )
    }
  })
})
