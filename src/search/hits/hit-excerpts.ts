/** Takes the excerpts of hits. */
import { threadSlices } from '../../platform/threads/slices.ts'
import type { HitPassage, SearchHit } from '../engine.ts'
import { type Excerpt, type Excerpts, type NearText, nearText, titleLength } from '../excerpts/excerpt.ts'
import { ClockCache } from './clock-cache.ts'
import type { ShownDocument } from './shown-documents.ts'

/** A hit with the document that it shows. */
export interface ExcerptedHit extends ShownDocument {
  readonly hit: SearchHit
}

/** The text of a document that its excerpts are taken from. */
interface ExcerptText {
  readonly text: string
  /** A first heading that repeats the title is left out, since a list shows it beside the excerpt; null for none. */
  readonly title: string | null
}

/** Where the texts of one kind of documents are. Their field `language` has an ISO 639 code. */
export interface ExcerptSource<Hit extends ExcerptedHit> {
  /** Returns the text of a document; null when it is so long that the document was read without it. */
  textOf(hit: Hit): ExcerptText | null
  /** Takes an excerpt of such a long text in parts. @param parts how many more of them the search may read */
  excerptOfLong(hit: Hit, excerpts: Excerpts, parts: { left: number }): Promise<Excerpt>
}

/** Parts of long texts that one search looks through for a word, over all its hits. */
const PARTS_MAX = 32

/** Size of the cache of the texts that are looked at first, for all tenants together. */
const CACHE_BYTES_MAX = 16 * 1_024 * 1_024

/**
 * Takes excerpts, and keeps the texts that they are taken from without marks. Without that cache a list with excerpts
 * costs half as much again (settled in docs/benchmarks.md).
 */
export class HitExcerpts {
  readonly #near = new ClockCache<NearText>(CACHE_BYTES_MAX, ({ plain }) => 2 * plain.length)

  /** Returns the excerpts of hits in their order. Other tenants get their turns in between. */
  async of<Hit extends ExcerptedHit>(
    tenantId: string,
    hits: readonly Hit[],
    excerpts: Excerpts,
    source: ExcerptSource<Hit>,
  ): Promise<Excerpt[]> {
    const list: Excerpt[] = []
    const parts = { left: PARTS_MAX }
    for (const each of hits) {
      const near = this.#cached(tenantId, each)
      const quick = near === null ? null : excerpts.ofNear(near, languageOf(each))
      list.push(quick ?? (await this.#read(tenantId, each, near, excerpts, source, parts)))
      const pause = threadSlices.pause(tenantId)
      if (pause !== undefined) await pause
    }
    return list
  }

  /** @param cached the text that was looked at first; null if it is not cached */
  async #read<Hit extends ExcerptedHit>(
    tenantId: string,
    each: Hit,
    cached: NearText | null,
    excerpts: Excerpts,
    source: ExcerptSource<Hit>,
    parts: { left: number },
  ): Promise<Excerpt> {
    const whole = source.textOf(each)
    if (whole === null) return source.excerptOfLong(each, excerpts, parts)
    const { text, title } = whole
    const start = title === null ? 0 : titleLength(text, title)
    const body = text.slice(start)
    const near = cached ?? nearText(body, movedBack(each.hit.passage ?? null, start))
    if (cached === null && isJudged(each)) this.#near.put(tenantId, keyOf(each), each.seq, null, near)
    const early = cached === null ? excerpts.ofNear(near, languageOf(each)) : null
    return early ?? excerpts.ofWhole(body, languageOf(each)) ?? excerpts.withoutWords(near)
  }

  #cached(tenantId: string, each: ExcerptedHit): NearText | null {
    return isJudged(each) ? this.#near.get(tenantId, keyOf(each), each.seq, null) : null
  }
}

/** Whether the document is of the change that the search judged: a passage is a place in the text of then. */
function isJudged({ seq, shown }: ExcerptedHit): boolean {
  return seq === shown.seq
}

function languageOf({ document }: ExcerptedHit): string {
  return document.get('language') as string
}

function keyOf({ hit: { passage }, shown: { id } }: ExcerptedHit): string {
  return passage === null || passage === undefined ? id : `${id} ${passage.start} ${passage.end}`
}

/** A passage of a text in what is left of it without its beginning; null for one that is all in there. */
function movedBack(passage: HitPassage | null, length: number): HitPassage | null {
  if (passage === null || length === 0) return passage
  const { start, end } = passage
  return end <= length ? null : { ...passage, start: Math.max(0, start - length), end: end - length }
}
