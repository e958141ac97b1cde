import { pageOf } from '../../platform/database/page.ts'
import { type HitCache, ownBytes } from './hit-cache.ts'

/** One state of a document: as of one change. */
interface State {
  readonly id: string
  readonly seq: number
}

/** How one kind of documents is read and written as JSON. */
interface DocumentSource<Row extends State> {
  /** Bytes of stored text of each existing id, known without reading the documents. */
  bytesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The documents among the ids that exist and may be shown, in any order. */
  rowsOf(ids: readonly string[]): Promise<readonly Row[]>
  write(row: Row): string
  /** Whether the JSON holds until the document changes; other JSON is not cached. */
  isLasting(row: Row): boolean
}

/**
 * Finds the JSON to show for hits: from the cache if it is from the same change, else read and written anew. The list
 * ends where its text exceeds a page; documents that no longer exist are left out.
 * @param model the model that the JSON depends on; null if it depends on none
 * @param places in the order of the hits; several may show the same document
 */
export async function hitDocuments<Row extends State, Place extends { readonly shown: State }>(
  cache: HitCache,
  { tenantId, model }: { readonly tenantId: string; readonly model: string | null },
  places: readonly Place[],
  source: DocumentSource<Row>,
): Promise<(Place & { readonly json: Buffer })[]> {
  const found = new Map<string, Buffer>()
  const states = new Map(places.map(({ shown }) => [shown.id, shown]))
  for (const { id, seq } of states.values()) {
    const held = cache.get(tenantId, id, seq, model)
    if (held !== null) found.set(id, held)
  }
  const ids = [...states.keys()]
  const bytes = await source.bytesOf(ids.filter((id) => !found.has(id)))
  const sized = ids.map((id) => ({ id, bytes: found.get(id)?.length ?? bytes.get(id) ?? 0 }))
  const page = new Set(pageOf(sized, sized.length).map(({ id }) => id))
  for (const row of await source.rowsOf([...page].filter((id) => !found.has(id)))) {
    const json = ownBytes(source.write(row))
    if (source.isLasting(row)) cache.put(tenantId, row.id, row.seq, model, json)
    found.set(row.id, json)
  }
  const end = places.findIndex(({ shown }) => !page.has(shown.id))
  return places.slice(0, end < 0 ? places.length : end).flatMap((place) => {
    const json = found.get(place.shown.id)
    return json === undefined ? [] : [{ ...place, json }]
  })
}
