import type { Queries } from '../../../platform/database/database.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import type { HitPassage, SearchHit } from '../../../search/engine.ts'
import { HitCache, ownBytes } from '../../../search/hits/hit-cache.ts'
import { type Excerpt, type Excerpts, type NearText, nearText, titleLength } from '../../../search/excerpts/excerpt.ts'
import * as store from '../store.ts'

/** A longer content is read in parts. */
const WHOLE_BYTES_MAX = 64 * 1_024
/** Contents that one statement reads: at most 640 KiB. */
const PIECE_ROWS = 10
const PART_LENGTH = 16_384
/** Parts overlap by more than a word has. */
const OVERLAP = 100
/** Parts that one search looks through for a word, over all its hits. */
const PARTS_MAX = 32

/** Size of the cache of the texts that are looked at first, for all tenants together. */
const CACHE_BYTES_MAX = 16 * 1_024 * 1_024

interface SeenHit {
  readonly hit: SearchHit
  readonly row: Pick<EntryRow, 'id' | 'language' | 'seq' | 'title'>
}

/** Where contents are, and whose they are. */
interface Place {
  readonly db: Queries
  readonly tenantId: string
}

/**
 * Takes the excerpts of entries. Without the cache a list with excerpts costs half as much again (settled in
 * docs/benchmarks.md).
 */
export class ContentExcerpts {
  readonly #near = new HitCache(CACHE_BYTES_MAX)

  /** The excerpts of hits that the caller may see, in their order. Other tenants get their turns in between. */
  async of(place: Place, seen: readonly SeenHit[], excerpts: Excerpts): Promise<Excerpt[]> {
    const found: Excerpt[] = []
    const parts = { left: PARTS_MAX }
    for (let at = 0; at < seen.length; at += PIECE_ROWS) {
      const piece = seen.slice(at, at + PIECE_ROWS)
      const near = piece.map((each) => this.#nearIn(place, each))
      const quick = piece.map(({ row }, i) => (near[i] === null ? null : excerpts.ofNear(near[i], row.language)))
      const ids = piece.filter((_, i) => quick[i] === null).map(({ row }) => row.id)
      const contents = await store.findContents(place.db, place.tenantId, ids, WHOLE_BYTES_MAX)
      for (const [i, each] of piece.entries()) {
        const text = contents.get(each.row.id) ?? null
        found.push(quick[i] ?? (await this.#read(place, each, near[i], text, excerpts, parts)))
        const pause = threadSlices.pause(place.tenantId)
        if (pause !== undefined) await pause
      }
    }
    return found
  }

  /** @param text the content; null for a long one, which is read in parts */
  async #read(
    place: Place,
    each: SeenHit,
    held: NearText | null,
    text: string | null,
    excerpts: Excerpts,
    parts: { left: number },
  ): Promise<Excerpt> {
    const { hit, row } = each
    if (text === null) return excerptOfLong(place.db, place.tenantId, row, hit.passage ?? null, excerpts, parts)
    // A list shows the title beside the excerpt.
    const title = titleLength(text, row.title)
    const body = text.slice(title)
    const near = held ?? nearText(body, movedBack(hit.passage ?? null, title))
    if (held === null) this.#keep(place, each, near)
    const early = held === null ? excerpts.ofNear(near, row.language) : null
    return early ?? excerpts.ofWhole(body, row.language) ?? excerpts.withoutWords(near)
  }

  #nearIn({ tenantId }: Place, { hit, row }: SeenHit): NearText | null {
    // A passage is a place in the content that the search judged.
    if (row.seq !== hit.seq) return null
    const held = this.#near.get(tenantId, nearKey(hit), hit.seq, null)?.toString()
    return held === undefined ? null : { plain: held.slice(1), goesOn: held.startsWith('+') }
  }

  #keep({ tenantId }: Place, { hit, row }: SeenHit, { plain, goesOn }: NearText): void {
    if (row.seq !== hit.seq) return
    this.#near.put(tenantId, nearKey(hit), hit.seq, null, ownBytes((goesOn ? '+' : '-') + plain))
  }
}

/** A passage of a text in what is left of it without its beginning; null for one that is all in there. */
function movedBack(passage: HitPassage | null, length: number): HitPassage | null {
  if (passage === null || length === 0) return passage
  const { start, end } = passage
  return end <= length ? null : { ...passage, start: Math.max(0, start - length), end: end - length }
}

function nearKey({ id, passage }: SearchHit): string {
  return passage === null || passage === undefined ? id : `${id} ${passage.start} ${passage.end}`
}

/**
 * The excerpt of a content that is too long to be read whole. The place of a passage counts UTF-16 units and that of a
 * part code points, so characters beyond the basic plane before the passage move the part by as many characters.
 */
async function excerptOfLong(
  db: Queries,
  tenantId: string,
  { id, language, title }: SeenHit['row'],
  passage: HitPassage | null,
  excerpts: Excerpts,
  parts: { left: number },
): Promise<Excerpt> {
  const { start, end } = passage ?? { start: 0, end: PART_LENGTH }
  const body = (text: string, from: number): string => (from > 0 ? text : text.slice(titleLength(text, title)))
  const text = body(await store.findContentPart(db, tenantId, id, { start, length: end - start }), start)
  const near = excerpts.of({ text, language, passage: { start: 0, end: text.length } })
  if (near.matches.length > 0 || !excerpts.wholeText) return near
  for (let from = 0; parts.left > 0; from += PART_LENGTH - OVERLAP) {
    parts.left--
    const part = await store.findContentPart(db, tenantId, id, { start: from, length: PART_LENGTH })
    if (part === '') break
    const excerpt = excerpts.of({ text: body(part, from), language, passage: null })
    if (excerpt.matches.length > 0) return excerpt
    await threadSlices.pause(tenantId)
  }
  return near
}
