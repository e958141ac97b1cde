import type { Caller } from '../../../platform/access/caller.ts'
import { maySee } from '../../../platform/access/visibility.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { countWithin, pageOf } from '../../../platform/database/page.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import type { SearchHit } from '../../../search/engine.ts'
import { type HitCache, ownBytes, type WrittenHits } from '../../../search/hit-cache.ts'
import * as contract from '../contract.ts'
import { entryOf, guardOf } from '../entry.ts'
import * as store from '../store.ts'

const writeEntry = compileSerialiser(contract.Entry)

/**
 * Writes the hits of a search, as many as make a page, which ends where there is more text, or more JSON, than a page
 * of a list holds. Entries come from the cache as of the change they were found by; the others are read, and one that
 * has changed since it was found is judged again.
 */
export async function writeHits(
  db: Queries,
  cache: HitCache,
  caller: Caller,
  hits: readonly SearchHit[],
  withScore: boolean,
): Promise<WrittenHits> {
  const { id: tenantId, embeddingModel } = caller.tenant
  const cached = hits.map((hit) => cache.get(tenantId, hit.id, hit.seq, embeddingModel))
  const unknown = hits.flatMap((hit, i) => (cached[i] === null ? [hit.id] : []))
  const bytes = await store.entryBytes(db, tenantId, unknown)
  const sized = hits.map((hit, i) => ({ hit, held: cached[i], bytes: cached[i]?.length ?? bytes.get(hit.id) ?? 0 }))
  const page = pageOf(sized, sized.length)
  const missing = page.flatMap(({ hit, held }) => (held === null ? [hit.id] : []))
  const read = await readEntries(db, cache, caller, missing)
  const shown = page.flatMap(({ hit, held }) => {
    const entry = held ?? read.get(hit.id)
    return entry === undefined ? [] : [{ id: hit.id, entry, rest: restOf(hit, withScore) }]
  })
  const fitting = shown.slice(
    0,
    countWithin(shown, ({ entry }) => entry.length),
  )
  return { ids: fitting.map(({ id }) => id), json: join(fitting) }
}

async function readEntries(
  db: Queries,
  cache: HitCache,
  caller: Caller,
  ids: readonly string[],
): Promise<Map<string, Buffer>> {
  const { id: tenantId, embeddingModel } = caller.tenant
  const read = new Map<string, Buffer>()
  for (const row of await store.findEntries(db, tenantId, ids)) {
    if (!maySee(caller, guardOf(row))) continue
    const json = ownBytes(writeEntry(entryOf(row)))
    cache.put(tenantId, row.id, row.seq, embeddingModel, json)
    read.set(row.id, json)
  }
  return read
}

function restOf({ similarity, score }: SearchHit, withScore: boolean): string {
  return withScore ? `,"similarity":${similarity},"score":${score}}` : `,"similarity":${similarity}}`
}

const FIRST = '[{"entry":'
const NEXT = ',{"entry":'

function join(shown: readonly { readonly entry: Buffer; readonly rest: string }[]): Buffer {
  if (shown.length === 0) return Buffer.from('[]')
  let length = 1
  for (const { entry, rest } of shown) length += FIRST.length + entry.length + rest.length
  const json = Buffer.allocUnsafe(length)
  let at = 0
  for (const [i, { entry, rest }] of shown.entries()) {
    at += json.write(i === 0 ? FIRST : NEXT, at, 'latin1')
    at += entry.copy(json, at)
    at += json.write(rest, at, 'latin1')
  }
  json.write(']', at, 'latin1')
  return json
}
