/** Reads the documents that one page of hits shows. */
import { pageOf } from '../../platform/database/page.ts'
import type { HitCache } from './hit-cache.ts'
import type { DocumentShape, WrittenDocument } from './written-document.ts'

/** A document in its state after one change. */
export interface DocumentState {
  readonly id: string
  /** Number of the change. */
  readonly seq: number
}

/** A document from the database, with all fields or some. */
interface ReadDocument extends DocumentState {
  readonly document: Readonly<Record<string, unknown>>
  /** Whether the JSON stays valid until the document changes; other JSON is not cached. */
  readonly isLasting: boolean
}

/** A document that a hit shows. */
export interface ShownDocument {
  /** State of the document in the engine's replica. */
  readonly shown: DocumentState
  readonly document: WrittenDocument
  /** Number of the change that `document` is from. A document that was just read may be newer than `shown`. */
  readonly seq: number
}

/** Reads one kind of documents for the caller of a search. */
export interface DocumentSource {
  readonly shape: DocumentShape
  /** Fields whose texts can be long. */
  readonly longFields: ReadonlySet<string>
  /** Returns the bytes of stored text of each existing id, without reading the text. @param fields by default all */
  bytesOf(ids: readonly string[], fields?: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Returns the documents that exist and that the caller may see, in any order. @param fields null for all */
  read(ids: readonly string[], fields: readonly string[] | null): Promise<readonly ReadDocument[]>
}

/**
 * Part of a cache's key: the JSON of a document depends on the tenant and on the model with which the tenant searches.
 */
export interface CacheOwner {
  readonly tenantId: string
  /** Null if the JSON depends on no model. */
  readonly model: string | null
}

/** Most stored bytes of a document that is read in full although the search needs only some fields of it. */
const WHOLE_BYTES_MAX = 64 * 1_024

/**
 * Returns the documents that hits show: from the cache if it has them of the same change, else from the database. The
 * list ends before the document with which its text would exceed a page. Documents that no longer exist are left out.
 * @param places hits in their order; several may show the same document
 * @param fields fields that the caller needs; null for all. A large document may lack the other fields
 * @returns `shown`, and whether the list ended early in `isCut`
 */
export async function shownDocuments<Place extends { readonly shown: DocumentState }>(
  cache: HitCache,
  { tenantId, model }: CacheOwner,
  places: readonly Place[],
  source: DocumentSource,
  fields: readonly string[] | null = null,
): Promise<{ readonly shown: (Place & ShownDocument)[]; readonly isCut: boolean }> {
  const documents = new Map<string, Pick<ShownDocument, 'document' | 'seq'>>()
  const states = new Map(places.map(({ shown }) => [shown.id, shown]))
  for (const { id, seq } of states.values()) {
    const cached = cache.get(tenantId, id, seq, model)
    if (cached !== null) documents.set(id, { document: cached, seq })
  }
  const ids = [...states.keys()]
  const missing = ids.filter((id) => !documents.has(id))
  const bytes = missing.length === 0 ? new Map<string, number>() : await source.bytesOf(missing)
  const isLarge = (id: string): boolean => fields !== null && (bytes.get(id) ?? 0) > WHOLE_BYTES_MAX
  const large = missing.filter(isLarge)
  const long = fields?.filter((field) => source.longFields.has(field)) ?? []
  const partBytes = large.length === 0 || long.length === 0 ? null : await source.bytesOf(large, long)
  const sizeOf = (id: string): number => {
    if (fields === null) return documents.get(id)?.document.json.length ?? bytes.get(id) ?? 0
    return isLarge(id) ? (partBytes?.get(id) ?? 0) : 0
  }
  const page = new Set(
    pageOf(
      ids.map((id) => ({ id, bytes: sizeOf(id) })),
      ids.length,
    ).map(({ id }) => id),
  )
  const missingOfPage = missing.filter((id) => page.has(id))
  const readInto = async (some: readonly string[], chosen: readonly string[] | null): Promise<void> => {
    if (some.length === 0) return
    for (const { id, seq, document, isLasting } of await source.read(some, chosen)) {
      const json = source.shape.write(document)
      // A document without some of its fields is none to cache.
      if (isLasting && chosen === null) cache.put(tenantId, id, seq, model, json)
      documents.set(id, { document: json, seq })
    }
  }
  await readInto(missingOfPage.filter(isLarge), fields)
  await readInto(
    missingOfPage.filter((id) => !isLarge(id)),
    null,
  )
  const end = places.findIndex(({ shown }) => !page.has(shown.id))
  const documentsOfPage = places.slice(0, end < 0 ? places.length : end).flatMap((place) => {
    const document = documents.get(place.shown.id)
    return document === undefined ? [] : [{ ...place, ...document }]
  })
  return { shown: documentsOfPage, isCut: end >= 0 }
}
