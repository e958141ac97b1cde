/**
 * The interface between the service and a search engine. An engine holds a replica of the searchable documents per
 * tenant and index; the database stays the source of truth. The engine does not know entries or products: an index
 * definition names the fields.
 */

import type { IndexPassage } from '../embedding/vector-codec.ts'
import { Fault, Outage, unavailable } from '../platform/faults.ts'
import type { Partition } from './analysis/analysis.ts'

/** A kind of searchable thing, declared once by its domain. */
export interface IndexDefinition {
  readonly name: string
  /** Text that is analysed, with the weight of one occurrence in BM25. */
  readonly textFields: Readonly<Record<string, number>>
  /** The `textFields` in each of which a word counts once, however many of its texts repeat it; none by default. */
  readonly onceFields?: readonly string[]
  /** Among the `textFields`, the one that names a document; without it, `named` of a request has no effect. */
  readonly nameField?: string
  /** Exact values for filters; a document has any number of values in each field. */
  readonly keyFields: readonly string[]
  /** Numbers for filters; a document has at most one in each field. */
  readonly numberFields: readonly string[]
  /** The `keyFields` whose values a search may count; none by default. */
  readonly facetFields?: readonly string[]
  /** Whether documents have properties, which `property-values.ts` defines. Every part of a request may name them. */
  readonly hasProperties?: boolean
}

export interface IndexDocument {
  readonly id: string
  /** ISO 639 code of the text; decides how it is analysed. */
  readonly language: string
  /** Milliseconds since 1970; where scores tie, the newer document wins. */
  readonly changedAt: number
  /** Documents in one group, such as translations or variants, can be shown as one hit. */
  readonly group: string
  readonly text: Readonly<Record<string, readonly string[]>>
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly numbers: Readonly<Record<string, number | null>>
  /** Values by property; a value that is too long to be compared is left out of its list. */
  readonly properties?: Readonly<Record<string, readonly string[]>>
  /** What a search sorts titles by. */
  readonly sortText?: string
  /** Empty while the document has no vectors. */
  readonly passages: readonly IndexPassage[]
}

/**
 * One change of a tenant's documents. Changes are applied in the order of `seq`; a later one replaces an earlier one.
 */
export type IndexChange =
  | { readonly seq: number; readonly put: IndexDocument }
  | { readonly seq: number; readonly remove: string }
  /** A document whose row cannot be read. It is counted but never found; other documents are not affected. */
  | { readonly seq: number; readonly unreadable: string }

/**
 * The replica that a search reads: a tenant's documents with the vectors of one model, at least as new as `watermark`.
 */
export interface IndexVersion {
  readonly tenantId: string
  readonly index: string
  /** Id of the embedder whose vectors are used; null while the tenant has no vectors. */
  readonly model: string | null
  /** The search sees every change with a number up to this one. */
  readonly watermark: number
  /** What the tenant is searched with; in memory by default. A replica of pgvector is built for no other tenants. */
  readonly engine?: 'memory' | 'pgvector'
}

/** Where an engine gets its changes from. */
export interface IndexSource {
  readonly definition: IndexDefinition
  /**
   * Every change with a number over `after`, ascending, in batches. Holds a database snapshot only while it reads a
   * batch. A document changed twice appears once, under its newest number.
   */
  changes(version: IndexVersion, after: number): AsyncIterable<readonly IndexChange[]>
  /** Without it, indexes of the source are not kept on disk. */
  readonly history?: IndexHistory
}

/**
 * Tells whether an index that was kept on disk is of this past of the source. A database that was set back gives the
 * numbers of changes a second time.
 */
interface IndexHistory {
  /** A mark of what has happened by now, which includes the change with the number `reached`. */
  mark(tenantId: string, reached: number): Promise<string>
  /**
   * Whether the source still has the past in which the mark was made, and nobody was erased since; false for a tenant
   * that is gone. For an index that keeps words of what is gone.
   */
  contains(tenantId: string, mark: string): Promise<boolean>
  /** The same for an index that keeps no such words: erasures do not count, nor does the age of the mark. */
  follows(tenantId: string, mark: string): Promise<boolean>
}

/**
 * A condition on documents. An empty `anyOf` or `any` matches nothing, an empty `all` matches everything. A number
 * matches if it is over `above` and at most `below`; null is no bound. A document without the number matches if
 * `orMissing` is set, and never one of a list.
 */
export type Filter =
  | KeyFilter
  | NumberListFilter
  | {
      readonly number: string
      readonly above: number | null
      readonly below: number | null
      readonly orMissing: boolean
    }
  /** Documents that have a value. One of `facetFields` or a property. */
  | { readonly present: string }
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }

export interface KeyFilter {
  readonly field: string
  readonly anyOf: readonly string[]
}

/** Documents whose number is in the list, which is in any order. */
export interface NumberListFilter {
  readonly number: string
  readonly anyOf: readonly number[]
}

export type SearchMode = 'semantic' | 'keyword' | 'hybrid'

export interface SearchRequest {
  readonly version: IndexVersion
  readonly mode: SearchMode
  readonly query: string
  /** The query's vector, normalised; null if there is none, and then every similarity is 0. */
  readonly vector: Float32Array | null
  /**
   * What the caller may see. Keyword statistics (document frequencies, mean length) come from exactly these documents,
   * so scores reveal nothing about the others.
   */
  readonly visible: Filter
  /** What the request asks for among the visible documents. */
  readonly filter: Filter
  readonly offset: number
  /** 0 for a search that only counts: it compares cosines only where they decide which documents are found. */
  readonly limit: number
  /** Drops hits with a lower cosine, in every mode; a document without vectors counts as 0. */
  readonly minSimilarity: number | null
  /** Weight of the cosine in the hybrid score. */
  readonly vectorWeight: number
  /**
   * In hybrid mode, lets the query decide how much the cosine weighs, with `vectorWeight` as a factor, and compares
   * documents in other languages than the query's by their cosines (`hybrid-score.ts`). Not together with `allWords`,
   * which leaves out documents whose cosines would count.
   */
  readonly byQuery?: boolean
  /** One hit per group: its best qualified member that matches `prefer`, else its best qualified member. */
  readonly groups: { readonly prefer: Filter } | null
  readonly explain: boolean
  /** Whether each hit names its best passage. */
  readonly passages?: boolean
  /** What to sort by; relevance decides between equal values. Then `boosts` change no order. */
  readonly sort?: Sort
  /** What to count over all qualified documents, before offset and limit. */
  readonly facets?: FacetRequest
  /**
   * In hybrid mode, a document that matches no concept, or too few with `allWords`, qualifies only with at least this
   * cosine.
   */
  readonly relevance?: { readonly minSimilarityWithoutMatch: number }
  /**
   * Whether hits say how relevant they are; with `min`, those below it are dropped. Words count in every mode, meaning
   * except in keyword mode. A pinned document has 1.
   */
  readonly rated?: { readonly min: number | null }
  /**
   * Documents with all words of the query come first: `bonus` is added to their scores, as with `pin`. If at least
   * `enough` visible documents have them all, no others qualify, unless the filter leaves none of these. If fewer have,
   * those qualify too that have at least `shareMin` (0 to 1) of the weight of the query's words. A word that was corrected or completed counts, and
   * two words that documents write as one weigh as much as both. No effect in semantic mode, and on a query without
   * words.
   */
  readonly allWords?: { readonly enough: number; readonly shareMin: number; readonly bonus: number }
  /**
   * Adds up to `bonus` to the score of a document whose name the query has, as with `pin`; `name-match.ts` defines how
   * much. No effect in semantic mode.
   */
  readonly named?: { readonly bonus: number }
  /**
   * A word that no visible document contains stands for the nearest words that some contain; `expansion.ts` defines how
   * near. Words with digits are never replaced.
   */
  readonly fuzzy?: boolean
  /** How many words are corrected, at most; `CORRECTED_MAX` of `expansion.ts` are by default, and never more. */
  readonly correctedMax?: number
  /** The query's last word also stands for the most frequent words that start with it. */
  readonly prefixLast?: boolean
  /**
   * In keyword mode without a `pin`, whether only documents with every word of a query of several qualify, if some have
   * them all. Unlike `allWords` it asks the documents that the filter leaves, and before they are scored, which makes
   * it the cheaper one for a search at every key. A word that was corrected or completed counts; parts of words are not asked for.
   */
  readonly everyWord?: boolean
  /** Whether to answer the words of the query that are taken for others, or would be if the search were `fuzzy`. */
  readonly corrections?: boolean
  /** Whether to answer the words that the query's words also stand for. */
  readonly alternatives?: boolean
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
  /** What somebody decided about the ranking, whatever the query's words say. */
  readonly raises?: readonly Raise[]
  /** Words that words of the query also stand for. */
  readonly synonyms?: readonly Synonym[]
}

/**
 * Adds to the scores of the documents that match a filter; several raises add up. `bonus` is a share of the most that
 * the query's words can score, like the bonus of `pin`, and negative to lower documents.
 */
export interface Raise {
  readonly filter: Filter
  readonly bonus: number
  /** Whether the documents are found without matching the query. `filter` and `minSimilarity` of the request still apply. */
  readonly qualifies: boolean
}

/** A word of the query that other words may stand for. */
export interface Synonym {
  readonly of: string
  /** A single word. */
  readonly word: string
  /** Share of the weight of `of`, over 0. */
  readonly share: number
}

/** Documents without a value come last. */
export type Sort =
  | {
      /** A number field or a property. */
      readonly number: string
      /** For documents that match `where`, this number field is compared instead. */
      readonly instead?: { readonly field: string; readonly where: Filter }
      readonly descending: boolean
    }
  | { readonly text: true; readonly descending: boolean }

export interface FacetRequest {
  /** Fields among the index's `facetFields`, or properties. */
  readonly keys: readonly {
    readonly field: string
    readonly limit: number
    /**
     * Only values in which each of these folded words begins a word (`wordsOfName`), or, with `corrections`, stands for
     * one; none at all without a word.
     */
    readonly beginning?: readonly string[]
  }[]
  readonly numbers: readonly {
    /** A number field or a property. */
    readonly field: string
    /** For documents that match `where`, this field is counted instead. */
    readonly instead?: { readonly field: string; readonly where: Filter }
    /** Each range counts the values over `above` and at most `below`; null is no bound. */
    readonly ranges: readonly { readonly above: number | null; readonly below: number | null }[]
  }[]
}

/** With `groups`, groups are counted: a group whose members differ counts under each of their values. */
export interface Facets {
  /** In the order of the request; the most frequent values first, then by code unit. */
  readonly keys: readonly {
    readonly field: string
    readonly values: readonly { readonly value: string; readonly count: number }[]
  }[]
  readonly numbers: readonly {
    readonly field: string
    /** How many documents or groups have the number, and its extremes; null if none has it. */
    readonly count: number
    readonly min: number | null
    readonly max: number | null
    readonly ranges: readonly number[]
  }[]
}

/** A word of a query that no visible document contains, and the nearest words that some contain. */
export interface Correction {
  /** As it was typed, or the part of it that the concept stands for. */
  readonly typed: string
  /**
   * Fewest edits first, then most frequent: as terms, so folded and stemmed as in the partitions that have them.
   * `spelledAs` finds them in a title.
   */
  readonly nearest: readonly {
    readonly term: string
    readonly partitions: readonly Partition[]
    readonly edits: number
    /** How many visible documents have the term. */
    readonly frequency: number
  }[]
}

/** What a word of a query also stands for: a correction, a word that it begins, or a synonym. */
export interface QueryAlternative {
  /** As it was typed, or the part of it that the concept stands for. */
  readonly typed: string
  /** The term in each partition; null where no document has it. */
  readonly terms: Readonly<Record<Partition, string | null>>
}

export interface SearchHit {
  readonly id: string
  /** The change that the replica of the document is from. JSON made for exactly this change may be shown. */
  readonly seq: number
  /** Cosine of the best passage, summed in float64; 0 without vectors. */
  readonly similarity: number
  /** What the mode ranks by: the similarity, BM25, or the fused score; pin and boost are added. */
  readonly score: number
  /** Of a group, the member whose score decides its place, if that is another one than is shown. */
  readonly matched?: string
  /** 0 to 1, by `relevance.ts`; absent if the request did not ask for it. */
  readonly relevance?: number
  readonly explanation?: HitExplanation
  /** The best passage, if the request asks for it; null without vectors. */
  readonly passage?: HitPassage | null
}

/** Place of a passage among those of its document, and in its text in UTF-16 units. */
export interface HitPassage {
  readonly index: number
  readonly start: number
  readonly end: number
}

export interface HitExplanation {
  /** BM25 without normalisation; 0 if no term matched. */
  readonly bm25: number
  /** Share of the query's weight that the document covers, 0 to 1; null in semantic mode. */
  readonly coverage: number | null
  /** The weight of the cosine; null outside hybrid mode. */
  readonly vectorWeight: number | null
  /** What counts in place of the coverage, because the document is in another language than the query. */
  readonly instead?: number
  readonly terms: readonly {
    readonly term: string
    readonly idf: number
    readonly frequency: number
    readonly score: number
    /** The word of the query that this term stands for, if it is another word. */
    readonly typed?: string
  }[]
  /** What the request's `pin`, `allWords`, `named` and `boosts` added to the score; absent when they added nothing. */
  readonly pin?: number
  readonly allWords?: number
  readonly named?: number
  readonly boost?: number
  /** Those of the request's `raises`, by index, that match the document, with what each added; absent without any. */
  readonly raises?: readonly { readonly index: number; readonly added: number }[]
  /** The best passage; null without vectors. */
  readonly passage: HitPassage | null
}

export interface SearchAnswer {
  /**
   * Sorted by score descending, then newest change, then id; `boosts` change this order within their bound, and `sort`
   * comes before it.
   */
  readonly hits: readonly SearchHit[]
  /**
   * Qualified documents before offset and limit: in semantic mode those with vectors, in keyword mode those with a
   * match.
   */
  readonly total: number
  /** False where an engine ranked only a part of what can be found; `total` and `facets` count that part then. */
  readonly isExact?: boolean
  /** Absent if the request asked for none. */
  readonly facets?: Facets
  /** In the order of the query; absent if the request asked for none. Empty in semantic mode, which compares no words. */
  readonly corrections?: readonly Correction[]
  /** Absent if the request asked for none. Empty in semantic mode. */
  readonly alternatives?: readonly QueryAlternative[]
  /** Milliseconds inside the engine: catching up with the watermark, and searching. */
  readonly timing: { readonly refresh: number; readonly search: number }
}

export interface EngineStatus {
  readonly indexes: number
  readonly documents: number
  readonly passages: number
  /** Documents that are damaged and not found, or whose vectors have a wrong size and that are found by words alone. */
  readonly unreadable: number
  /** Indexes that are not built for a while because they had no room. */
  readonly refused: number
  /** What the indexes take of memory. */
  readonly bytes: number
  /** Bytes in files that hold parts of indexes while memory is short. */
  readonly fileBytes: number
  /** Indexes of which only a part is in memory; the rest comes back from files with their next search. */
  readonly pagedOut: number
  readonly bytesMax: number
}

export interface SearchEngine {
  /**
   * @throws EngineUnavailable when the engine cannot answer (stopping, source unreachable)
   * @throws IndexRefused while there is no room for the index
   * @throws IndexBuilding when the index is not there in time
   */
  search(request: SearchRequest): Promise<SearchAnswer>
  /**
   * Checks whether a search of the index may be tried, before the request does any other work.
   * @param engine of the tenant's settings
   * @throws IndexRefused while there is no room for the index
   */
  requireRoom(tenantId: string, index: string, engine?: IndexVersion['engine']): void
  /** Drops a tenant's replicas; the next search builds them again. */
  drop(tenantId: string): Promise<void>
  /** @param tenantId counts this tenant's indexes alone, with the bound on them; refusals are those of all tenants */
  status(tenantId?: string): Promise<EngineStatus>
  close(): Promise<void>
}

/** What requests may ask of an engine. Whoever opened it gives its memory back and closes it. */
export type EngineForRequests = Omit<SearchEngine, 'drop' | 'close'>

export class EngineUnavailable extends Outage {
  override readonly name = 'EngineUnavailable'

  toFault(cause: unknown): Fault {
    return unavailable('Search', 1, cause)
  }
}

/** A search has waited long enough for an index that is being built. */
export class IndexBuilding extends Outage {
  override readonly name = 'IndexBuilding'
  /** How much of the index is there, from 0 to 100. */
  readonly percent: number
  /** About when the rest will be there. */
  readonly retryAfterMs: number

  constructor(percent: number, retryAfterMs: number) {
    super('the index is being built')
    this.percent = percent
    this.retryAfterMs = retryAfterMs
  }

  /** Not logged: every search says so until the index is there. */
  toFault(): Fault {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.retryAfterMs / 1_000))
    const msg = `Search index is being built, ${this.percent} percent are done, try again`
    return new Fault('unavailable', [{ loc: [], msg, type: 'unavailable' }], { retryAfterSeconds, isLogged: true })
  }
}

/**
 * Why an index is refused: its tenant would exceed its memory (`tenant`), no memory is left that others could free
 * (`crowded`), or the thread ended while it built the index (`ended`).
 */
export type RefusalReason = 'tenant' | 'crowded' | 'ended'

/** An index is refused for a while, so no time is spent on building it in vain. */
export class IndexRefused extends Outage {
  override readonly name = 'IndexRefused'
  readonly reason: RefusalReason
  /** A retry makes sense after this time. */
  readonly retryAfterMs: number

  constructor(reason: RefusalReason, retryAfterMs = 0) {
    super(ERROR_MESSAGES[reason])
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }

  /** Every search fails during a refusal, so searches do not log it; the engine's owner logs each refusal once. */
  toFault(): Fault {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.retryAfterMs / 1_000))
    const kind = this.reason === 'tenant' ? 'search_capacity' : 'unavailable'
    const detail = { loc: [], msg: CLIENT_MESSAGES[this.reason], type: kind }
    return new Fault(kind, [detail], { retryAfterSeconds, isLogged: true })
  }
}

const ERROR_MESSAGES: Readonly<Record<RefusalReason, string>> = {
  tenant: 'the index needs more memory than the tenant may use',
  crowded: 'there is no memory left for the index',
  ended: 'the search thread ended while it built the index',
}

/** What clients are told about a refusal. */
const CLIENT_MESSAGES: Readonly<Record<RefusalReason, string>> = {
  tenant:
    'Search index needs more memory than this tenant may use: delete or shorten entries or products, or ask the ' +
    'operator for more',
  crowded: 'Other indexes use all search memory, try again',
  ended: 'Search index could not be built, try again',
}
