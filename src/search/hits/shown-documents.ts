/** Reads the documents that one page of hits shows. */
import { pageOf } from '../../platform/database/page.ts'
import type { HitCache } from './hit-cache.ts'
import type { DocumentShape, WrittenDocument } from './written-document.ts'

/** One state of a document: as of one change. */
export interface DocumentState {
  readonly id: string
  readonly seq: number
}

/** A document as it was read, whole or some fields of it. */
interface ReadDocument extends DocumentState {
  readonly document: Readonly<Record<string, unknown>>
  /** Whether its JSON holds until the document changes; other JSON is not cached. */
  readonly isLasting: boolean
}

/** A document that a hit shows. */
export interface ShownDocument {
  /** The state that the search knows. */
  readonly shown: DocumentState
  readonly document: WrittenDocument
  /** The change that the document is from; a later one than the search knows if it was just read. */
  readonly seq: number
}

/** How one kind of documents is read for the caller of a search. */
export interface DocumentSource {
  readonly shape: DocumentShape
  /** The fields whose texts can be long. */
  readonly longFields: ReadonlySet<string>
  /** Returns the bytes of stored text of each existing id, without reading the text. @param fields by default all */
  bytesOf(ids: readonly string[], fields?: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Returns the documents that exist and that the caller may see, in any order. @param fields null for all */
  read(ids: readonly string[], fields: readonly string[] | null): Promise<readonly ReadDocument[]>
}

/** Whose documents a cache holds: JSON depends on the tenant and the model that it searches with. */
export interface CacheOwner {
  readonly tenantId: string
  /** Null if the JSON depends on no model. */
  readonly model: string | null
}

/** A larger document is read in full only if all of it is shown. */
const WHOLE_BYTES_MAX = 64 * 1_024

/**
 * Finds the documents to show for hits: in the cache if they are from the same change, else in the database. The list
 * ends where its text exceeds a page; documents that no longer exist are left out.
 * @param places in the order of the hits; several may show the same document
 * @param fields what is needed of the documents; null for all. A large document may lack the others
 * @returns `isCut` when the list ends early
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
  const wanted = missing.filter((id) => page.has(id))
  const parts = wanted.filter(isLarge)
  const whole = wanted.filter((id) => !isLarge(id))
  if (parts.length > 0) {
    for (const { id, seq, document } of await source.read(parts, fields)) {
      documents.set(id, { document: source.shape.write(document), seq })
    }
  }
  if (whole.length > 0) {
    for (const { id, seq, document, isLasting } of await source.read(whole, null)) {
      const written = source.shape.write(document)
      if (isLasting) cache.put(tenantId, id, seq, model, written)
      documents.set(id, { document: written, seq })
    }
  }
  const end = places.findIndex(({ shown }) => !page.has(shown.id))
  const shown = places.slice(0, end < 0 ? places.length : end).flatMap((place) => {
    const read = documents.get(place.shown.id)
    return read === undefined ? [] : [{ ...place, ...read }]
  })
  return { shown, isCut: end >= 0 }
}
