import type { Queries } from '../../../platform/database/database.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import type { HitPassage, SearchHit } from '../../../search/engine.ts'
import type { Excerpt, Excerpts } from '../../../search/excerpts/excerpt.ts'
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

interface SeenHit {
  readonly hit: SearchHit
  readonly row: Pick<EntryRow, 'id' | 'language'>
}

/** The excerpts of the hits, in their order. Other tenants get their turns in between. */
export async function excerptsOf(
  db: Queries,
  tenantId: string,
  seen: readonly SeenHit[],
  excerpts: Excerpts,
): Promise<Excerpt[]> {
  const found: Excerpt[] = []
  const parts = { left: PARTS_MAX }
  for (let at = 0; at < seen.length; at += PIECE_ROWS) {
    const piece = seen.slice(at, at + PIECE_ROWS)
    const ids = piece.map(({ hit }) => hit.id)
    const contents = await store.findContents(db, tenantId, ids, WHOLE_BYTES_MAX)
    for (const { hit, row } of piece) {
      const text = contents.get(hit.id) ?? null
      const passage = hit.passage ?? null
      found.push(
        text === null
          ? await excerptOfLong(db, tenantId, row, passage, excerpts, parts)
          : excerpts.of({ text, language: row.language, passage }),
      )
      const pause = threadSlices.pause(tenantId)
      if (pause !== undefined) await pause
    }
  }
  return found
}

/**
 * The excerpt of a content that is too long to be read whole. The place of a passage counts UTF-16 units and that of a
 * part code points, so characters beyond the basic plane before the passage move the part by as many characters.
 */
async function excerptOfLong(
  db: Queries,
  tenantId: string,
  { id, language }: SeenHit['row'],
  passage: HitPassage | null,
  excerpts: Excerpts,
  parts: { left: number },
): Promise<Excerpt> {
  const { start, end } = passage ?? { start: 0, end: PART_LENGTH }
  const text = await store.findContentPart(db, tenantId, id, { start, length: end - start })
  const near = excerpts.of({ text, language, passage: { start: 0, end: text.length } })
  if (near.matches.length > 0 || !excerpts.wholeText) return near
  for (let from = 0; parts.left > 0; from += PART_LENGTH - OVERLAP) {
    parts.left--
    const part = await store.findContentPart(db, tenantId, id, { start: from, length: PART_LENGTH })
    if (part === '') break
    const excerpt = excerpts.of({ text: part, language, passage: null })
    if (excerpt.matches.length > 0) return excerpt
    await threadSlices.pause(tenantId)
  }
  return near
}
