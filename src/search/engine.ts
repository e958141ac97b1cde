/**
 * The interface between the service and a search engine. An engine holds, per tenant and index, a
 * copy of what is searchable; the database stays the source of truth. Nothing here knows what an
 * entry or a product is: an index definition names the fields.
 */

import type { IndexPassage } from '../embedding/vector-codec.ts'
import { Fault, Outage, unavailable } from '../platform/faults.ts'

/** A kind of searchable thing, declared once by its domain. */
export interface IndexDefinition {
  readonly name: string
  /** Analysed text, with the weight of one occurrence in BM25. */
  readonly textFields: Readonly<Record<string, number>>
  /** Exact values a filter may ask for; a document holds any number of values in each. */
  readonly keyFields: readonly string[]
  /** Numbers a filter may bound; a document holds one or none in each. */
  readonly numberFields: readonly string[]
  /** Those of `keyFields` whose values a search may count; none unless named. */
  readonly facetFields?: readonly string[]
}

export interface IndexDocument {
  readonly id: string
  /** ISO 639 code of the text; decides how it is analysed. */
  readonly language: string
  /** Milliseconds since 1970; newer wins where scores tie. */
  readonly changedAt: number
  /** Documents of which a search may show one in place of all share a group: translations, variants. */
  readonly group: string
  readonly text: Readonly<Record<string, readonly string[]>>
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly numbers: Readonly<Record<string, number | null>>
  /** Empty while the document has no vectors. */
  readonly passages: readonly IndexPassage[]
}

/** One step of a tenant's history. Changes are applied in the order of `seq`; a later one replaces an earlier one. */
export type IndexChange =
  | { readonly seq: number; readonly put: IndexDocument }
  | { readonly seq: number; readonly remove: string }
  /** A document whose row cannot be made out. It is not found, it is counted, and the others are found. */
  | { readonly seq: number; readonly unreadable: string }

/** Which copy a search reads: a tenant's documents with the vectors of one model, at least as new as `watermark`. */
export interface IndexVersion {
  readonly tenantId: string
  readonly index: string
  /** Embedder id whose vectors are wanted; null when the tenant has no vectors yet. */
  readonly model: string | null
  /** Every change numbered up to here is visible to the search. */
  readonly watermark: number
}

/** Where an engine gets its changes from. */
export interface IndexSource {
  readonly definition: IndexDefinition
  /**
   * Every change with a number over `after`, ascending, in batches. Holds a database snapshot only while it reads a
   * batch. A document changed twice appears once, under its newest number.
   */
  changes(version: IndexVersion, after: number): AsyncIterable<readonly IndexChange[]>
}

/**
 * A condition on documents. An empty `anyOf` matches nothing, an empty `all` everything, an empty `any` nothing.
 * A number matches when it is over `above` and at most `below`, null being no bound; a document without
 * the number matches when `orMissing`.
 */
export type Filter =
  | KeyFilter
  | {
      readonly number: string
      readonly above: number | null
      readonly below: number | null
      readonly orMissing: boolean
    }
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }

export interface KeyFilter {
  readonly field: string
  readonly anyOf: readonly string[]
}

export type SearchMode = 'semantic' | 'keyword' | 'hybrid'

export interface SearchRequest {
  readonly version: IndexVersion
  readonly mode: SearchMode
  readonly query: string
  /** The query's vector, normalised; null when there is none (then nothing has a similarity). */
  readonly vector: Float32Array | null
  /**
   * What the caller may see at all. Keyword statistics (document frequencies, mean length) are taken
   * over exactly these documents, so that scores tell nothing about the rest.
   */
  readonly visible: Filter
  /** What the request asks for, within what is visible. */
  readonly filter: Filter
  readonly offset: number
  readonly limit: number
  /** Cuts on the cosine, in every mode; a document without vectors counts as 0. */
  readonly minSimilarity: number | null
  /** Weight of the cosine in the hybrid score. */
  readonly vectorWeight: number
  /** One hit per group, shown by the best of its qualified members that match `prefer`, else by the best of all. */
  readonly groups: { readonly prefer: Filter } | null
  readonly explain: boolean
  /** What to count over all documents that qualify, before offset and limit. */
  readonly facets?: FacetRequest
  /** In hybrid mode: a document no concept matches qualifies only with a cosine of at least this. */
  readonly relevance?: { readonly minSimilarityWithoutMatch: number }
  /**
   * Words that no visible document holds stand for the nearest ones that some do; see `expansion.ts` for how near.
   * What carries a digit is taken as it is.
   */
  readonly fuzzy?: boolean
  /** The query's last word stands also for the most frequent words that begin with it. */
  readonly prefixLast?: boolean
  /**
   * Documents that match this filter qualify without matching the query, and `bonus` is added to their scores: a
   * product whose identifier is the query. `filter` and `minSimilarity` still apply to them.
   */
  readonly pin?: { readonly filter: KeyFilter; readonly bonus: number }
  /**
   * Added to the scores of single hits, by the id that is shown. A boost moves a hit by at most three places (see
   * `bounded-order.ts`) and makes no document qualify. Ids that are not shown are ignored. `bonus` and `boost` are
   * shares of the most that the query's words can score: in keyword mode the highest possible BM25, else 1.
   */
  readonly boosts?: readonly { readonly id: string; readonly boost: number }[]
}

export interface FacetRequest {
  /** Fields among the index's `facetFields`. */
  readonly keys: readonly { readonly field: string; readonly limit: number }[]
  readonly numbers: readonly {
    readonly field: string
    /** Documents that match `where` count by this field in place of the other. */
    readonly instead?: { readonly field: string; readonly where: Filter }
    /** Each counts the values over `above` and at most `below`, null being no bound. */
    readonly ranges: readonly { readonly above: number | null; readonly below: number | null }[]
  }[]
}

/** With `groups`, counts are of groups: one whose members differ counts under each of their values. */
export interface Facets {
  /** In the order asked for; the most frequent values first, then by code unit. */
  readonly keys: readonly {
    readonly field: string
    readonly values: readonly { readonly value: string; readonly count: number }[]
  }[]
  readonly numbers: readonly {
    readonly field: string
    /** Documents or groups that have the number, and its extremes; null where none has. */
    readonly count: number
    readonly min: number | null
    readonly max: number | null
    readonly ranges: readonly number[]
  }[]
}

export interface SearchHit {
  readonly id: string
  /** The change that the searched copy of the document is from: whoever has read the document as of it may show that. */
  readonly seq: number
  /** Cosine of the best passage, accumulated in float64; 0 without vectors. */
  readonly similarity: number
  /** What the mode ranks by: the similarity, BM25, or the fused score, with pin and boost added. */
  readonly score: number
  readonly explanation?: HitExplanation
}

export interface HitExplanation {
  /** BM25 as it stands, before any normalisation; 0 when no term matched. */
  readonly bm25: number
  /** Share of the query's weight the document covers, 0 to 1; null in semantic mode. */
  readonly coverage: number | null
  readonly terms: readonly {
    readonly term: string
    readonly idf: number
    readonly frequency: number
    readonly score: number
    /** The word of the query that this one stands for, where it is another. */
    readonly typed?: string
  }[]
  /** What the request's `pin` and `boosts` added to the score; absent when they added nothing. */
  readonly pin?: number
  readonly boost?: number
  /** The best passage; null without vectors. */
  readonly passage: { readonly index: number; readonly start: number; readonly end: number } | null
}

export interface SearchAnswer {
  /** Ranked: score descending, then newest change, then id ascending; with `boosts` as far as their bound lets them. */
  readonly hits: readonly SearchHit[]
  /** Documents that qualified before offset and limit (with vectors in semantic mode, with a matching term in keyword mode). */
  readonly total: number
  /** As asked for; absent when nothing was. */
  readonly facets?: Facets
  /** Time inside the engine, milliseconds: catching up with the watermark, and searching. */
  readonly timing: { readonly refresh: number; readonly search: number }
}

export interface EngineStatus {
  readonly indexes: number
  readonly documents: number
  readonly passages: number
  /** Documents that are not found because they could not be taken in: damaged, or with a vector that does not fit. */
  readonly unreadable: number
  /** Indexes that are not tried now, because there was no room for them. */
  readonly refused: number
  readonly bytes: number
  readonly bytesMax: number
}

export interface SearchEngine {
  /**
   * @throws EngineUnavailable when the engine cannot answer (stopping, source unreachable)
   * @throws IndexRefused while there is no room for the index
   */
  search(request: SearchRequest): Promise<SearchAnswer>
  /**
   * Whether a search of the index may be tried, ahead of the work that its request takes.
   * @throws IndexRefused while there is no room for the index
   */
  requireRoom(tenantId: string, index: string): void
  /** Brings a copy up to its watermark ahead of the first search. */
  warm(version: IndexVersion): Promise<void>
  /** Drops a tenant's copies; the next search builds them again. */
  drop(tenantId: string): Promise<void>
  status(): Promise<EngineStatus>
  close(): Promise<void>
}

export class EngineUnavailable extends Outage {
  override readonly name = 'EngineUnavailable'

  toFault(cause: unknown): Fault {
    return unavailable('Search', 1, cause)
  }
}

/**
 * Why an index is not held: its tenant would take more memory than it may (`tenant`), there is no memory left that
 * others could give (`crowded`), or the thread ended while it was being built (`ended`).
 */
export type RefusalReason = 'tenant' | 'crowded' | 'ended'

/** An index is not held for a while, so that building it in vain takes nobody's time. */
export class IndexRefused extends Outage {
  override readonly name = 'IndexRefused'
  readonly reason: RefusalReason
  /** After this it is worth trying again. */
  readonly retryAfterMs: number

  constructor(reason: RefusalReason, retryAfterMs = 0) {
    super(REFUSALS[reason])
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }

  /** The engine's owner logs a refusal when it begins; every search until it ends meets it. */
  toFault(): Fault {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.retryAfterMs / 1_000))
    const kind = this.reason === 'tenant' ? 'search_capacity' : 'unavailable'
    const detail = { loc: [], msg: TOLD_REFUSALS[this.reason], type: kind }
    return new Fault(kind, [detail], { retryAfterSeconds, isLogged: true })
  }
}

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  tenant: "the index would take more memory than the tenant's indexes may",
  crowded: 'there is no memory left for the index',
  ended: 'the search thread ended while the index was being built',
}

/** What callers are told of it. */
const TOLD_REFUSALS: Readonly<Record<RefusalReason, string>> = {
  tenant:
    "Search index needs more memory than this tenant's may take: delete or shorten entries or products, or ask the " +
    'operator for more',
  crowded: 'Search memory is taken by other indexes, try again',
  ended: 'Search index could not be built, try again',
}
