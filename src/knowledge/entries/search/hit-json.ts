import type { Caller } from '../../../platform/access/caller.ts'
import { maySee } from '../../../platform/access/visibility.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { countWithin } from '../../../platform/database/page.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import type { SearchHit } from '../../../search/engine.ts'
import type { HitCache, WrittenHits } from '../../../search/hits/hit-cache.ts'
import { hitDocuments } from '../../../search/hits/hit-documents.ts'
import { ratingJson } from '../../../search/hits/rated.ts'
import * as contract from '../contract.ts'
import { entryOf, guardOf } from '../entry.ts'
import * as store from '../store.ts'

const writeEntry = compileSerialiser(contract.Entry)

/**
 * Writes one page of the hits of a search as JSON. Entries that have not changed since they were cached come from the
 * cache. The others are read, and checked again: the caller may not see them any more.
 */
export async function writeHits(
  db: Queries,
  cache: HitCache,
  caller: Caller,
  hits: readonly SearchHit[],
  withScore: boolean,
): Promise<WrittenHits> {
  const { id: tenantId, embeddingModel: model } = caller.tenant
  const places = hits.map((hit) => ({ shown: hit }))
  const found = await hitDocuments(cache, { tenantId, model }, places, {
    bytesOf: (ids) => store.entryBytes(db, tenantId, ids),
    async rowsOf(ids) {
      return (await store.findEntries(db, tenantId, ids)).filter((row) => maySee(caller, guardOf(row)))
    },
    write: (row) => writeEntry(entryOf(row)),
    isLasting: () => true,
  })
  const shown = found.map(({ shown: hit, json }) => ({ id: hit.id, entry: json, rest: restOf(hit, withScore) }))
  const fitting = shown.slice(
    0,
    countWithin(shown, ({ entry }) => entry.length),
  )
  return { ids: fitting.map(({ id }) => id), json: join(fitting) }
}

function restOf({ similarity, score, relevance }: SearchHit, withScore: boolean): string {
  const shown = withScore ? `,"similarity":${similarity},"score":${score}` : `,"similarity":${similarity}`
  return `${shown}${ratingJson(relevance)}}`
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
