import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DEFINITION, documents, filters } from '../../../test/support/search/documents.ts'
import { matches } from '../../../test/support/search/naive.ts'
import { inTier } from '../../../test/support/tier.ts'
import { completionsOf } from './completions.ts'
import type { Filter, IndexDocument, SearchAnswer, SearchRequest } from '../engine.ts'
import { Arena } from '../memory/columns/arena.ts'
import { TenantIndex } from '../memory/index/tenant-index.ts'
import { languageAnalyser } from '../indexing/text-analyser.ts'
import { createVectorMemory } from '../memory/columns/vector-column.ts'
import { loadKernel } from '../memory/columns/vector-kernel.ts'
import { TitleSuggester } from './title-suggester.ts'

const arena = new Arena()
const memory = createVectorMemory(arena, loadKernel(arena.memory))

const EVERYTHING: Filter = { all: [] }
const TYPED = [
  'l',
  'la',
  'lam',
  'lamp',
  'lmap',
  'lampp',
  'tabel',
  'tabelt',
  'tbl',
  'red la',
  'gren la',
  'blue lmap',
  'w00',
]

const row = ({ id, text: { title } }: IndexDocument) => ({ id, seq: 1, title: title.join(' ') })

function requestFor(query: string, visible: Filter): SearchRequest {
  return {
    version: { tenantId: 't', index: 'things', model: null, watermark: 1 },
    mode: 'keyword',
    query,
    vector: null,
    visible,
    filter: EVERYTHING,
    offset: 0,
    limit: 10,
    minSimilarity: null,
    vectorWeight: 0,
    groups: null,
    explain: false,
    facets: { keys: [{ field: 'level', limit: 9, beginning: ['p'] }], numbers: [] },
  }
}

/** Makes a suggester with a real index of the documents. `counted.reads` counts the rows that were read. */
function suggesterOver(documentsOfIndex: Iterable<IndexDocument>) {
  const index = new TenantIndex(DEFINITION, memory, languageAnalyser)
  const rows = new Map<string, ReturnType<typeof row>>()
  const counted = { reads: 0 }
  for (const put of documentsOfIndex) {
    index.apply({ seq: 1, put })
    rows.set(put.id, row(put))
  }
  const search = (request: SearchRequest): Promise<SearchAnswer> => {
    const [outcome] = index.search([request])
    return outcome instanceof Error
      ? Promise.reject(outcome)
      : Promise.resolve({ ...outcome, timing: { refresh: 0, search: 0 } })
  }
  const suggester = new TitleSuggester<ReturnType<typeof row>>({ search })
  const suggest = async (query: string, visible: Filter) => {
    const suggestions = await suggester.find(requestFor(query, visible), (ids) => {
      counted.reads += ids.length
      return Promise.resolve(ids.flatMap((id) => rows.get(id) ?? []))
    })
    return { ...suggestions, completions: completionsOf(query, [suggestions], 20) }
  }
  return { suggest, counted, free: () => index.free() }
}

test('suggestions are the same as if nothing existed but what the caller may see', async () => {
  const property = fc.asyncProperty(
    fc.array(documents(1), { maxLength: 30, size: 'max' }),
    fc.array(filters, { minLength: 1, maxLength: 3 }),
    fc.shuffledSubarray(TYPED, { minLength: 3 }),
    async (puts, callers, typed) => {
      const living = new Map(puts.map((put) => [put.id, put]))
      const all = suggesterOver(living.values())
      // The callers take turns, so that a title that was cached for one caller would show for another.
      for (const visible of [...callers, ...callers]) {
        const own = suggesterOver([...living.values()].filter((document) => matches(visible, document)))
        for (const text of typed) {
          assert.deepEqual(await all.suggest(text, visible), await own.suggest(text, EVERYTHING), text)
        }
        own.free()
      }
      all.free()
    },
  )
  await fc.assert(property, { numRuns: inTier({ gate: 40, all: 150 }) })
})

test('a title is read once for each change of its document', async () => {
  const [lamp] = fc.sample(documents(1), 1)
  const document = { ...lamp, id: 'd1', language: 'en', text: { title: ['Red lamp'], body: [], tags: [] } }
  const { suggest, counted, free } = suggesterOver([document])
  assert.deepEqual((await suggest('la', EVERYTHING)).completions, ['lamp'])
  assert.deepEqual((await suggest('lam', EVERYTHING)).completions, ['lamp'])
  assert.equal(counted.reads, 1)
  free()
})
