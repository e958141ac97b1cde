import { pageOf } from '../platform/database/page.ts'
import { type HitCache, ownBytes } from './hit-cache.ts'

/** A document as of one change. */
interface State {
  readonly id: string
  readonly seq: number
}

/** How the JSON of one kind of documents is read and written. */
interface DocumentSource<Row extends State> {
  /** Bytes of stored text of each of the ids that is there, known without reading it. */
  bytesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The documents among the ids that are there and may be shown, in no particular order. */
  rowsOf(ids: readonly string[]): Promise<readonly Row[]>
  write(row: Row): string
  /** Whether what is written holds until the document changes; what does not is not kept. */
  isLasting(row: Row): boolean
}

/**
 * Finds the JSON of what is shown for hits: in the cache as of the change named, else read and written. It ends where
 * there is more text than a page of a list holds; a document that is gone by now is left out.
 * @param model that the JSON depends on; null where it depends on none
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
