/** Takes the excerpts of a page of hits. */
import { pauseOf, threadSlices } from '../../platform/threads/slices.ts'
import { drainInSlices } from '../../platform/threads/steps.ts'
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
  /**
   * Title of the document; null if its kind has none in the text. A first heading that repeats the title is left out of
   * excerpts, because a list shows the title beside the excerpt.
   */
  readonly title: string | null
}

/** Gives the texts of one kind of documents. The field `language` of such a document is an ISO 639 code. */
export interface ExcerptSource<Hit extends ExcerptedHit> {
  /** Returns the text of a document; null when the text is so long that the document was read without it. */
  textOf(hit: Hit): ExcerptText | null
  /**
   * Reads such a long text in parts and takes an excerpt of it.
   * @param parts number of parts that the search may still read; the method lowers it
   */
  excerptOfLong(hit: Hit, excerpts: Excerpts, parts: { left: number }): Promise<Excerpt>
}

/** Most parts of long texts that one search reads, over all its hits. */
const PARTS_MAX = 32

/** Most bytes of the cache of near texts, for all tenants together. */
const CACHE_BYTES_MAX = 16 * 1_024 * 1_024

/**
 * Takes excerpts, and caches the near texts from which they are taken, without marks. Without this cache a list with
 * excerpts costs half as much again (settled in docs/benchmarks.md). `bench:search` measures the cost of excerpts with
 * the cache.
 */
export class HitExcerpts {
  readonly #near = new ClockCache<NearText>(CACHE_BYTES_MAX, ({ plain }) => 2 * plain.length)

  /** Returns the excerpts of hits, in the order of the hits. Other tenants get their turns in between. */
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

  /**
   * Reads a hit's text and takes an excerpt of it.
   * @param cached the near text, which had no match; null if not cached
   */
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
    if (cached === null && isOfRankedChange(each)) this.#near.put(tenantId, keyOf(each), each.seq, null, near)
    const early = cached === null ? excerpts.ofNear(near, languageOf(each)) : null
    if (early !== null) return early
    const late = await drainInSlices(excerpts.takingFromWhole(body, languageOf(each)), pauseOf(tenantId))
    return late ?? excerpts.withoutWords(near)
  }

  #cached(tenantId: string, each: ExcerptedHit): NearText | null {
    return isOfRankedChange(each) ? this.#near.get(tenantId, keyOf(each), each.seq, null) : null
  }
}

/**
 * Tells whether the document is of the change that the search ranked. Only then does the hit's passage fit the text.
 */
function isOfRankedChange({ seq, shown }: ExcerptedHit): boolean {
  return seq === shown.seq
}

function languageOf({ document }: ExcerptedHit): string {
  return document.get('language') as string
}

function keyOf({ hit: { passage }, shown: { id } }: ExcerptedHit): string {
  return passage === null || passage === undefined ? id : `${id} ${passage.start} ${passage.end}`
}

/** Returns a passage in the text without its first `length` characters; null for a passage that lies within these. */
function movedBack(passage: HitPassage | null, length: number): HitPassage | null {
  if (passage === null || length === 0) return passage
  const { start, end } = passage
  return end <= length ? null : { ...passage, start: Math.max(0, start - length), end: end - length }
}
