/** Makes sources for tests of the search thread. The tenant's name decides how a source behaves. */
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IndexChange, IndexDocument, IndexSource, TenantState } from '../../../src/search/engine.ts'
import { DEFINITION } from './documents.ts'
import { valuesOf } from './values.ts'

const BATCH = 200
const BIG = 6_000
/** Milliseconds for which a thread does nothing at all. */
const STALL_MS = 1_500

interface StoredChange {
  readonly seq: number
  readonly remove?: string
  readonly title?: string
  readonly id?: string
}

export function document(id: string, title: string, vector?: Float32Array): IndexDocument {
  return {
    id,
    language: 'en',
    changedAt: 0,
    group: id,
    text: { title: [title] },
    keys: {},
    numbers: {},
    passages: vector === undefined ? [] : [{ vector, start: 0, end: title.length }],
  }
}

/**
 * Yields the changes of a tenant. The tenant `crash…` ends the thread, `stalled` holds it up, `broken` throws, `big` is
 * slow to index. The changes of any other tenant come from `<folder>/<tenant>.json`, which the test writes; they never
 * come while there is a file `<tenant>.hangs`.
 */
async function* changesOf(folder: string, tenantId: string, after: number): AsyncGenerator<readonly IndexChange[]> {
  if (tenantId.startsWith('crash')) process.exit(3)
  if (tenantId === 'stalled') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS)
  if (existsSync(join(folder, `${tenantId}.hangs`))) await new Promise(() => undefined)
  if (tenantId === 'broken') throw new Error('the database is away')
  if (tenantId === 'big') {
    yield* bigTenant(after)
    return
  }
  const changes = storedChanges(folder, tenantId)
    .filter(({ seq }) => seq > after)
    .map(({ seq, id, title, remove }) => (remove === undefined ? { seq, put: document(id!, title!) } : { seq, remove }))
  for (let i = 0; i < changes.length; i += BATCH) yield changes.slice(i, i + BATCH)
}

function storedChanges(folder: string, tenantId: string): StoredChange[] {
  return JSON.parse(readFileSync(join(folder, `${tenantId}.json`), 'utf8')) as StoredChange[]
}

function* bigTenant(after: number): Generator<readonly IndexChange[]> {
  for (let from = after; from < BIG; from += BATCH) {
    yield Array.from({ length: BATCH }, (_, i) => {
      const words = Array.from({ length: 60 }, () => `word${randomInt(20_000)}`).join(' ')
      return { seq: 1 + from + i, put: document(`big${from + i}`, words, Float32Array.of(1, i, from)) }
    })
  }
}

/**
 * Makes the sources.
 * @param options as both search threads pass them
 */
export function createSources(options: { folder: string } | { dataDir: string }): Promise<{
  sources: IndexSource[]
  check(): Promise<void>
  statesOf(tenantIds: readonly string[]): Promise<readonly TenantState[]>
  statesAfter(): Promise<readonly never[]>
  close(): Promise<void>
}> {
  const folder = 'folder' in options ? options.folder : options.dataDir
  const changes: IndexSource['changes'] = ({ tenantId }, after) => changesOf(folder, tenantId, after)
  const source: IndexSource = {
    definition: DEFINITION,
    changes,
    values: valuesOf(changes),
    history: {
      mark: () => Promise.resolve(''),
      contains: () => Promise.resolve(true),
      follows: () => Promise.resolve(true),
    },
  }
  const check = (): Promise<void> =>
    existsSync(folder) ? Promise.resolve() : Promise.reject(new Error('the database is away'))
  return Promise.resolve({
    sources: [source],
    check,
    statesOf: async (tenantIds) =>
      tenantIds.map((tenantId) => ({
        tenantId,
        model: null,
        watermark: storedChanges(folder, tenantId).at(-1)?.seq ?? 0,
      })),
    statesAfter: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  })
}
