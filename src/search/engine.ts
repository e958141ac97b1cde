/**
 * The interface between the service and a search engine. An engine holds, per tenant and index, a
 * copy of what is searchable; the database stays the source of truth. Nothing here knows what an
 * entry or a product is: an index definition names the fields.
 */

/** A kind of searchable thing, declared once by its domain. */
export interface IndexDefinition {
  readonly name: string
  /** Analysed text, with the weight of one occurrence in BM25. */
  readonly textFields: Readonly<Record<string, number>>
  /** Exact values a filter may ask for; a document holds any number of values in each. */
  readonly keyFields: readonly string[]
  /** Numbers a filter may bound; a document holds one or none in each. */
  readonly numberFields: readonly string[]
}

/** A stretch of a document's content with its vector; `start` and `end` are UTF-16 offsets into the content. */
export interface IndexPassage {
  readonly vector: Float32Array
  readonly start: number
  readonly end: number
}

export interface IndexDocument {
  readonly id: string
  /** ISO 639 code of the text; decides how it is analysed. */
  readonly language: string
  /** Milliseconds since 1970; newer wins where scores tie. */
  readonly changedAt: number
  /** Documents that say the same in other languages share a group. */
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
   * Changes with `after < seq <= upTo`, ascending, in batches. Holds one database snapshot only while a
   * batch is read. A document changed twice appears once, under its newest number, which may exceed `upTo`.
   */
  changes(version: IndexVersion, after: number, upTo: number): AsyncIterable<readonly IndexChange[]>
}

/**
 * A condition on documents. An empty `anyOf` matches nothing, an empty `all` everything, an empty `any` nothing.
 * A number matches when it is over `above` and at most `below`, null being no bound; a document without
 * the number matches when `orMissing`.
 */
export type Filter =
  | { readonly field: string; readonly anyOf: readonly string[] }
  | {
      readonly number: string
      readonly above: number | null
      readonly below: number | null
      readonly orMissing: boolean
    }
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }

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
  /** One hit per group, shown by its member in this language where that member qualifies too. */
  readonly groupByLanguage: string | null
  readonly explain: boolean
}

export interface SearchHit {
  readonly id: string
  /** Cosine of the best passage, accumulated in float64; 0 without vectors. */
  readonly similarity: number
  /** What the mode ranks by: the similarity, BM25, or the fused score. */
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
  }[]
  /** The best passage; null without vectors. */
  readonly passage: { readonly index: number; readonly start: number; readonly end: number } | null
}

export interface SearchAnswer {
  /** Ranked: score descending, then newest change, then id ascending. */
  readonly hits: readonly SearchHit[]
  /** Documents that qualified before offset and limit (with vectors in semantic mode, with a matching term in keyword mode). */
  readonly total: number
  /** Time inside the engine, milliseconds: catching up with the watermark, and searching. */
  readonly timing: { readonly refresh: number; readonly search: number }
}

export interface EngineStatus {
  readonly indexes: number
  readonly documents: number
  readonly passages: number
  readonly bytes: number
  readonly bytesMax: number
  /** For the operator: what does not fit, in one sentence each. */
  readonly warnings: readonly string[]
}

export interface SearchEngine {
  /** @throws EngineUnavailable when the engine cannot answer (stopping, source unreachable) */
  search(request: SearchRequest): Promise<SearchAnswer>
  /** Brings a copy up to its watermark ahead of the first search. */
  warm(version: IndexVersion): Promise<void>
  /** Drops a tenant's copies; the next search builds them again. */
  drop(tenantId: string): Promise<void>
  status(): Promise<EngineStatus>
  close(): Promise<void>
}

export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable'
}
