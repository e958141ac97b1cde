/**
 * The interface between the service and a search engine. An engine holds a replica of the searchable documents per
 * tenant and index; the database stays the source of truth. The engine does not know entries or products: an index
 * definition names the fields.
 */

import type { IndexPassage } from '../embedding/vector-codec.ts'
import type { TextsWanted } from '../platform/access/caller.ts'
import { Fault, Outage, unavailable } from '../platform/faults.ts'
import type { Partition } from './analysis/analysis.ts'

/** A kind of searchable thing, declared once by its domain. */
export interface IndexDefinition {
  readonly name: string
  /**
   * Number of the way in which rows become documents. A change by which a row gives another document takes the next
   * one, so that indexes that were kept on disk are built again; 1 by default.
   */
  readonly documentNumber?: number
  /**
   * Text that is analysed, with the weight of one occurrence in BM25. Of a document with too many distinct words, those
   * of the first fields are indexed (`TERMS_MAX`).
   */
  readonly textFields: Readonly<Record<string, number>>
  /** The `textFields` in each of which a word counts once, however many of its texts repeat it; none by default. */
  readonly onceFields?: readonly string[]
  /** Among the `textFields`, the one that names a document; without it, `named` of a request has no effect. */
  readonly nameField?: string
  /** Exact values for filters; a document has any number of values in each field. */
  readonly keyFields: readonly string[]
  /** Numbers for filters; a document has at most one in each field. */
  readonly numberFields: readonly string[]
  /**
   * Those `keyFields` that decide who may see a document; none by default. Where one of them changes with the text, or
   * while a text waits, no search finds the document until the index has its latest text: words that some people were
   * never to read do not find it for them.
   */
  readonly audienceFields?: readonly string[]
  /**
   * Among the `keyFields`, the one that says whose a document is. Where a tenant's memory is full, the newest documents
   * of the owners that take most are left out of search. Documents without an owner, and all documents of an index
   * without this field, are the tenant's own.
   */
  readonly ownerField?: string
  /** Those `keyFields` whose values a search may count; none by default. */
  readonly facetFields?: readonly string[]
  /**
   * Whether documents have properties (`property-values.ts`). Filters, facets and the sort order of a request may name
   * any property.
   */
  readonly hasProperties?: boolean
}

/**
 * The values of a document: everything but its text. A value that changes is replaced where it lies, while a document
 * with another text is analysed anew.
 */
export interface DocumentValues {
  /** Milliseconds since 1970; where scores tie, the newer document wins. */
  readonly changedAt: number
  /** Documents in one group, such as translations or variants, can be shown as one hit. */
  readonly group: string
  readonly keys: Readonly<Record<string, readonly string[]>>
  readonly numbers: Readonly<Record<string, number | null>>
  /** Values by the name of their property. A value that is too long to be compared is missing in the list. */
  readonly properties?: Readonly<Record<string, readonly string[]>>
}

export interface IndexDocument extends DocumentValues {
  readonly id: string
  /** ISO 639 code of the text; decides how it is analysed. */
  readonly language: string
  readonly text: Readonly<Record<string, readonly string[]>>
  /** Text by which a search sorts documents by title. */
  readonly sortText?: string
  /** Passages with their vectors; empty while the document has no vectors. */
  readonly passages: readonly IndexPassage[]
}

/**
 * One change of a tenant's documents. Changes are applied in the order of `seq`; a later one replaces an earlier one.
 */
export type IndexChange =
  | {
      readonly seq: number
      readonly put: IndexDocument
      /** Number of the change that last altered the text; by default `seq`. */
      readonly textSeq?: number
      /** Hash of the columns that keys, group and properties are made of; absent where the source makes none. */
      readonly signature?: number
    }
  | { readonly seq: number; readonly remove: string }
  /** Id of a document whose row cannot be read. The engine counts the document, and no search finds it. */
  | { readonly seq: number; readonly unreadable: string }

/** A change that replaces values of a document. It is read without the text. */
export interface ValueReplacement {
  readonly seq: number
  readonly id: string
  /** Number of the change that last altered the text. */
  readonly textSeq: number
  /** Stored bytes of the text and the vectors; null where the text did not change with the values. */
  readonly textBytes: number | null
  readonly changedAt: number
  readonly numbers: DocumentValues['numbers']
  /** As in `IndexChange`: where a replica has the same hash, it need not look at the other values. */
  readonly signature: number
  /** Makes the other values. @throws Error where the row cannot be read */
  readonly rest: () => Pick<DocumentValues, 'group' | 'keys' | 'properties'>
}

/** One change of a document's values. */
export type ValueChange = ValueReplacement | { readonly seq: number; readonly remove: string }

/**
 * Names the replica that a search reads: a tenant's documents with the vectors of one model, at least as new as
 * `watermark`.
 */
export interface IndexVersion {
  readonly tenantId: string
  readonly index: string
  /** Id of the embedder whose vectors are used; null while the tenant has no vectors. */
  readonly model: string | null
  /** Number of a change; the search sees this change and every earlier one. */
  readonly watermark: number
  /** Engine of the tenant's settings; `memory` by default. Only a tenant with `pgvector` gets a replica there. */
  readonly engine?: 'memory' | 'pgvector'
}

/** The newest change of a tenant, the model that its searches compare with, and its engine. */
export type TenantState = Pick<IndexVersion, 'tenantId' | 'model' | 'watermark' | 'engine'>

/** Gives an engine the changes of one kind of documents. */
export interface IndexSource {
  readonly definition: IndexDefinition
  /**
   * Yields every change with a number over `after`, ascending, in batches. It holds a database snapshot only while it
   * reads a batch. A document that changed twice appears once, under its newest number.
   */
  changes(version: IndexVersion, after: number): AsyncIterable<readonly IndexChange[]>
  /** Reads values apart from texts, so that an engine can apply values first. */
  readonly values: ValueSource
  /** Absent where the engine must not keep indexes of the source on disk. */
  readonly history?: IndexHistory
}

/** Reads the values of changed documents, and single documents with their texts. */
interface ValueSource {
  /** Yields the newest change of every document whose number is over `after`, ascending, in batches. */
  changes(version: IndexVersion, after: number): AsyncIterable<readonly ValueChange[]>
  /** Returns whole documents; documents that have changed again after the change with the number `last` are missing. */
  documents(version: IndexVersion, ids: readonly string[], last: number): Promise<readonly IndexChange[]>
  /** Whether a build may read whole documents from a copy of the database that lacks changes whose values were read. */
  readonly mayLag: boolean
  /** Returns how many documents of the tenant an index may have; it counts no further than to `max`. */
  count(version: IndexVersion, max: number): Promise<number>
}

/**
 * Tells whether an index that was kept on disk belongs to the present history of the source. A database that was set
 * back gives the numbers of changes a second time, so the numbers alone do not tell.
 */
interface IndexHistory {
  /** Returns a mark of the history so far, which includes the change with the number `reached`. */
  mark(tenantId: string, reached: number): Promise<string>
  /**
   * Tells whether the source goes on from the history of the mark, and no person was erased since; false for a tenant
   * that is gone. This is the check for an index that keeps words of deleted documents.
   */
  contains(tenantId: string, mark: string): Promise<boolean>
  /**
   * Tells whether the source goes on from the history of the mark, for an index that keeps no words of deleted
   * documents: neither erasures nor the age of the mark matter.
   */
  follows(tenantId: string, mark: string): Promise<boolean>
}

/**
 * A condition on documents. An empty `anyOf` or `any` matches nothing, an empty `all` matches everything. A number
 * matches if it is over `above` and at most `below`; a null bound does not restrict. A document without the number
 * matches if `orMissing` is set, and never matches a list of numbers.
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
  /** Documents that have a value in this field, one of `facetFields`, or in this property. */
  | { readonly present: string }
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }

export interface KeyFilter {
  readonly field: string
  readonly anyOf: readonly string[]
}

/** Documents whose number is in the list. The list may have any order. */
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
   * Documents that the caller may see. Keyword statistics (document frequencies, mean length) come from exactly these
   * documents, so scores reveal nothing about the others.
   */
  readonly visible: Filter
  /** Condition of the request on the visible documents. */
  readonly filter: Filter
  readonly offset: number
  /** Most hits. With 0 the search only counts, and compares cosines only where they decide which documents qualify. */
  readonly limit: number
  /** Least cosine of a hit, in every mode; a document without vectors has the cosine 0. Null for no bound. */
  readonly minSimilarity: number | null
  /**
   * Brings the cosines of the query's model to the scale that the weights and thresholds of ranking were measured on:
   * in place of a cosine, `factor` x cosine + `offset` counts, and 0 for a document without vectors. `minSimilarity` and
   * the similarity of hits stay cosines. `factor` is over 0. Absent where cosines count as they are.
   */
  readonly scale?: { readonly factor: number; readonly offset: number }
  /** Weight of the scaled cosine in the hybrid score. */
  readonly vectorWeight: number
  /**
   * Whether the query decides in hybrid mode how much the cosine weighs, with `vectorWeight` as a factor. Documents in
   * other languages than the query's are then compared by their cosines (`hybrid-score.ts`). Not together with
   * `allWords`, which leaves out documents whose cosines would count.
   */
  readonly byQuery?: boolean
  /**
   * Whether the query's model reads sentences, as all models do but the built-in one that adds up words. Its cosines
   * tell far better what fits, also across languages: they weigh more, and the query's language does not matter.
   */
  readonly isContextual?: boolean
  /** One hit per group: its best qualified member that matches `prefer`, else its best qualified member. */
  readonly groups: { readonly prefer: Filter } | null
  readonly explain: boolean
  /** Whether each hit names its best passage. */
  readonly passages?: boolean
  /** Sort order; the score decides between equal values. With a sort order, `boosts` have no effect. */
  readonly sort?: Sort
  /** Counts to make over all qualified documents, before offset and limit. */
  readonly facets?: FacetRequest
  /**
   * In hybrid mode, a document that matches no concept, or too few with `allWords`, qualifies only with at least this
   * scaled cosine.
   */
  readonly relevance?: { readonly minSimilarityWithoutMatch: number }
  /**
   * Asks for the relevance of each hit; `min` drops hits of a lower relevance. Relevance comes from words and cosine,
   * in keyword mode from words alone. A pinned document has 1.
   */
  readonly rated?: { readonly min: number | null }
  /**
   * Puts documents with all words of the query first: `bonus` is added to their scores, as with `pin`. If at least
   * `enough` visible documents have all words, only these qualify, unless the filter leaves none of them. If fewer have
   * all words, documents with at least `shareMin` (0 to 1) of the weight of the query's words qualify as well. A word
   * that was corrected or completed counts. Two words that documents write as one weigh as much as both. No effect in
   * semantic mode, and on a query without words.
   */
  readonly allWords?: { readonly enough: number; readonly shareMin: number; readonly bonus: number }
  /**
   * Adds up to `bonus` to the score of a document whose name is in the query; `name-match.ts` defines how much. `bonus`
   * is a share, as with `pin`. No effect in semantic mode.
   */
  readonly named?: { readonly bonus: number }
  /**
   * Whether a word that no visible document contains stands for the nearest words that visible documents contain;
   * `expansion.ts` defines how near. Words with digits are never replaced.
   */
  readonly fuzzy?: boolean
  /** Most words that are corrected; by default, and never more than, `CORRECTED_MAX` of `expansion.ts`. */
  readonly correctedMax?: number
  /** Whether the query's last word also stands for the most frequent words that start with it. */
  readonly prefixLast?: boolean
  /**
   * Whether, in keyword mode without a `pin`, only documents with every word of a query of several words qualify, as
   * long as any document has them all. Unlike `allWords` it looks at the documents that the filter leaves, and before
   * they are scored. That makes it the cheaper one for a search at every key. A word that was corrected or completed
   * counts; parts of words are not required.
   */
  readonly everyWord?: boolean
  /** Whether the answer lists corrections; without `fuzzy`, those that `fuzzy` would have made. */
  readonly corrections?: boolean
  /** Whether the answer lists the words that the query's words also stand for. */
  readonly alternatives?: boolean
  /**
   * Lets documents that match `pin.filter` qualify without matching the query, such as a product whose identifier is
   * the query, and adds `bonus` to their scores. `filter` and `minSimilarity` of the request still apply to them.
   */
  readonly pin?: { readonly filter: KeyFilter; readonly bonus: number }
  /**
   * Amounts to add to the scores of single hits, by the id that the hit shows. A boost moves a hit by at most three
   * places (`bounded-order.ts`) and makes no document qualify. Ids of no hit are ignored. Every `bonus` and `boost` of
   * a request is a share of the most that the query's words can score: in keyword mode the highest possible BM25, else
   * 1.
   */
  readonly boosts?: readonly { readonly id: string; readonly boost: number }[]
  /** Decisions about the ranking that hold whatever the query's words say, such as merchandising rules. */
  readonly raises?: readonly Raise[]
  /** Synonyms of words of the query. */
  readonly synonyms?: readonly Synonym[]
  /** What the search waits for beside the values of all documents; by default a moment for the latest texts. */
  readonly texts?: TextsWanted
}

/**
 * Adds to the scores of the documents that match a filter; several raises add up. `bonus` is a share of the most that
 * the query's words can score, like the bonus of `pin`, and negative to lower documents.
 */
export interface Raise {
  readonly filter: Filter
  readonly bonus: number
  /**
   * Whether the documents qualify without matching the query. `filter` and `minSimilarity` of the request still apply.
   */
  readonly qualifies: boolean
}

/** A word that a word of the query also stands for. */
export interface Synonym {
  /** Word of the query. */
  readonly of: string
  /** Single word that `of` also stands for. */
  readonly word: string
  /** Share of the weight of `of`, over 0. */
  readonly share: number
}

/** A sort order. Documents without a value come last. */
export type Sort =
  | {
      /** Name of a number field or a property. */
      readonly number: string
      /** Number field `field` that is compared instead for documents that match `where`. */
      readonly instead?: { readonly field: string; readonly where: Filter }
      readonly descending: boolean
    }
  | { readonly text: true; readonly descending: boolean }

export interface FacetRequest {
  /** Facets of values. */
  readonly keys: readonly {
    /** One of the index's `facetFields`, or a property. */
    readonly field: string
    /** Most values. */
    readonly limit: number
    /**
     * Folded words that restrict the values: each of them must begin a word of the value (`wordsOfName`) or, with
     * `corrections`, stand for one. An empty list leaves no value.
     */
    readonly beginning?: readonly string[]
  }[]
  /** Facets of numbers. */
  readonly numbers: readonly {
    /** Name of a number field or a property. */
    readonly field: string
    /** Number field that is counted instead for documents that match `where`. */
    readonly instead?: { readonly field: string; readonly where: Filter }
    /** Ranges of numbers over `above` and at most `below`; null for no bound. Each range gets its own count. */
    readonly ranges: readonly { readonly above: number | null; readonly below: number | null }[]
  }[]
}

/**
 * The counts of a `FacetRequest`. With `groups`, groups are counted: a group whose members differ counts under each of
 * their values.
 */
export interface Facets {
  /** In the order of the request; the most frequent values first, then by code unit. */
  readonly keys: readonly {
    readonly field: string
    readonly values: readonly { readonly value: string; readonly count: number }[]
  }[]
  readonly numbers: readonly {
    readonly field: string
    /** How many documents or groups have the number. */
    readonly count: number
    /** Smallest and largest number; null if no document has the number. */
    readonly min: number | null
    readonly max: number | null
    /** Counts of the ranges, in the order of the request. */
    readonly ranges: readonly number[]
  }[]
}

/** A word of a query that no visible document contains, and the nearest words that visible documents contain. */
export interface Correction {
  /** The word as it was typed, or the part of it that the concept stands for. */
  readonly typed: string
  /**
   * The nearest words as terms: folded, and stemmed as in the partitions that have them. Fewest edits first, then most
   * frequent. `spellingsIn` finds their spelling in a title.
   */
  readonly nearest: readonly {
    readonly term: string
    readonly partitions: readonly Partition[]
    readonly edits: number
    /** How many visible documents have the term. */
    readonly frequency: number
  }[]
}

/** A term that a word of a query also stands for: a correction, a word that it begins, or a synonym. */
export interface QueryAlternative {
  /** The word as it was typed, or the part of it that the concept stands for. */
  readonly typed: string
  /** The term in each partition; null where no document has it. */
  readonly terms: Readonly<Record<Partition, string | null>>
}

export interface SearchHit {
  readonly id: string
  /** Number of the change from which the replica has the document. JSON of exactly this change may be shown. */
  readonly seq: number
  /** Cosine of the best passage, summed in float64; 0 without vectors. */
  readonly similarity: number
  /** Score by which the mode ranks: the scaled cosine, BM25, or the fused score, with pin and boost added. */
  readonly score: number
  /** Id of the member whose score decides the place of its group; absent where the hit shows that member. */
  readonly matched?: string
  /** Relevance from 0 to 1 (`relevance.ts`); absent if the request did not ask for it. */
  readonly relevance?: number
  readonly explanation?: HitExplanation
  /** The best passage; null without vectors, absent if the request did not ask for it. */
  readonly passage?: HitPassage | null
}

/** Place of a passage: its index among the passages of the document, and its offsets in the text in UTF-16 units. */
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
  /** Weight of the scaled cosine; null outside hybrid mode. */
  readonly vectorWeight: number | null
  /** The scaled cosine; absent where the cosine counts as it is. */
  readonly scaled?: number
  /** Amount that counts in place of the coverage; present if it is more. */
  readonly instead?: number
  readonly terms: readonly {
    readonly term: string
    readonly idf: number
    readonly frequency: number
    readonly score: number
    /** Word of the query that this term stands for; absent if the term is that word. */
    readonly typed?: string
  }[]
  /** Amounts that the request's `pin`, `allWords`, `named` and `boosts` added to the score; absent for nothing. */
  readonly pin?: number
  readonly allWords?: number
  readonly named?: number
  readonly boost?: number
  /** The request's `raises` that match the document, by index, with the amount each added; absent if none matches. */
  readonly raises?: readonly { readonly index: number; readonly added: number }[]
  /** The best passage; null without vectors. */
  readonly passage: HitPassage | null
}

export interface SearchAnswer {
  /**
   * Hits by score descending, then newest change, then id. `boosts` change this order within their bound. With `sort`,
   * the sort value comes first.
   */
  readonly hits: readonly SearchHit[]
  /**
   * How many documents qualify, before offset and limit: in semantic mode those with vectors, in keyword mode those
   * with a match.
   */
  readonly total: number
  /** False if the engine ranked only a part of the qualified documents. `total` and `facets` then count that part. */
  readonly isExact?: boolean
  /**
   * Number of documents whose latest text the answer lacks, because the index is behind; absent where the index
   * has every change up to the watermark of the search. Counts documents too that a later change hides until their text
   * is read. The values of the documents that it has are the latest.
   */
  readonly behind?: number
  /** Number of documents that the index leaves out, since its tenant's memory is full; absent where it has all. */
  readonly leftOut?: number
  /** Absent if the request asks for no facets. */
  readonly facets?: Facets
  /**
   * In the order of the query; empty in semantic mode, which compares no words. Absent if the request asks for none.
   */
  readonly corrections?: readonly Correction[]
  /** Empty in semantic mode. Absent if the request asks for none. */
  readonly alternatives?: readonly QueryAlternative[]
  /** Milliseconds inside the engine: `refresh` for catching up with the watermark, `search` for the search itself. */
  readonly timing: { readonly refresh: number; readonly search: number }
}

/** Most documents that a status lists as left out. */
export const LEFT_OUT_LISTED_MAX = 1_000

/** Most left-out documents that are named to people, and in the head of a snapshot. */
export const LEFT_OUT_NAMED_MAX = 20

/** A document that search leaves out, since its tenant's memory is full. */
export interface LeftOutDocument {
  readonly index: string
  readonly id: string
  /** Value of the index's `ownerField`; null for a document of the tenant itself. */
  readonly owner: string | null
}

export interface EngineStatus {
  readonly indexes: number
  readonly documents: number
  readonly passages: number
  /**
   * Documents with a defect: damaged ones, which no search finds, and those whose vectors have a wrong size, which
   * searches find by words alone.
   */
  readonly unreadable: number
  /** Documents whose latest text has not reached their index. */
  readonly documentsBehind: number
  /** Indexes that lack some change. An index that was paged out does not follow changes, and is not counted. */
  readonly behind: number
  /** Milliseconds for which the oldest change has waited that an index lacks; 0 where none waits. */
  readonly behindMs: number
  /** Indexes that are being built, or read from disk. */
  readonly building: number
  /** Percent that is done of the build of which least is done; 100 where no index is being built. */
  readonly builtPercent: number
  /** Documents that search leaves out, since the memory of their tenant is full. */
  readonly leftOut: number
  /** Those of them that changed last, at most `LEFT_OUT_LISTED_MAX`; empty in the status of all tenants together. */
  readonly leftOutDocuments: readonly LeftOutDocument[]
  /** Indexes that the engine does not build for a while, because they had no room. */
  readonly refused: number
  /** Bytes of memory that the indexes take. */
  readonly bytes: number
  /** Bytes in files that hold parts of indexes while memory is short. */
  readonly fileBytes: number
  /** Indexes of which only a part is in memory. Their next search reads the rest from files. */
  readonly pagedOut: number
  /** Bytes of memory that the indexes may take. */
  readonly bytesMax: number
}

export interface SearchEngine {
  /**
   * @throws EngineUnavailable when the engine cannot answer (stopping, source unreachable)
   * @throws IndexRefused while there is no room for the index
   * @throws IndexBuilding when the index is not there in time
   * @throws IndexBehind when the index has not reached the change that the request names in time
   */
  search(request: SearchRequest): Promise<SearchAnswer>
  /**
   * Checks that the index is not refused at present, before the request does any other work.
   * @param engine of the tenant's settings
   * @throws IndexRefused while there is no room for the index
   */
  requireRoom(tenantId: string, index: string, engine?: IndexVersion['engine']): void
  /** Drops a tenant's replicas; the next search builds them again. */
  drop(tenantId: string): Promise<void>
  /**
   * Returns counts of all indexes, or of one tenant's.
   * @param tenantId counts only this tenant's indexes, with the tenant's bound as `bytesMax`; `refused` still counts
   *   those of all tenants
   */
  status(tenantId?: string): Promise<EngineStatus>
  close(): Promise<void>
}

/** Methods of an engine for requests. The process that opened the engine drops its replicas and closes it. */
export type EngineForRequests = Omit<SearchEngine, 'drop' | 'close'>

export class EngineUnavailable extends Outage {
  override readonly name: string = 'EngineUnavailable'

  toFault(cause: unknown): Fault {
    return unavailable('Search', 1, cause)
  }
}

/** Says that a search has waited as long as it may, so that no other engine or process is asked for it. */
export class SearchTimedOut extends EngineUnavailable {
  override readonly name = 'SearchTimedOut'
}

/** Says that a search has waited long enough for an index that is being built. */
export class IndexBuilding extends Outage {
  override readonly name = 'IndexBuilding'
  /** Share of the index that is built, from 0 to 100. */
  readonly percent: number
  /** Estimated milliseconds until the rest is built. */
  readonly retryAfterMs: number

  constructor(percent: number, retryAfterMs: number) {
    super('the index is being built')
    this.percent = percent
    this.retryAfterMs = retryAfterMs
  }

  /** Returns a fault that no logger repeats, because every search fails with it until the index is built. */
  toFault(): Fault {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.retryAfterMs / 1_000))
    const msg = `Search index is being built, ${this.percent} percent are done, try again`
    return new Fault('unavailable', [{ loc: [], msg, type: 'unavailable' }], { retryAfterSeconds, isLogged: true })
  }
}

/** Says that the text of the change that a search names has not reached the index in time. */
export class IndexBehind extends Outage {
  override readonly name = 'IndexBehind'
  /** Milliseconds after which a retry makes sense. */
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('the index has not reached the change that the search waits for')
    this.retryAfterMs = retryAfterMs
  }

  /** Returns a fault that no logger repeats: the caller chose how long to wait. */
  toFault(): Fault {
    const retryAfterSeconds = Math.max(1, Math.ceil(this.retryAfterMs / 1_000))
    const msg = 'Search has not reached this write yet, try again'
    return new Fault('unavailable', [{ loc: [], msg, type: 'unavailable' }], { retryAfterSeconds, isLogged: true })
  }
}

/**
 * The reason why an index is refused: its tenant would exceed the tenant's memory (`tenant`), all memory is taken and
 * no other index can give any back (`crowded`), or the thread ended while it built the index (`ended`).
 */
export type RefusalReason = 'tenant' | 'crowded' | 'ended'

/** Says that an index is refused for a while, so that no time is spent on building it in vain. */
export class IndexRefused extends Outage {
  override readonly name = 'IndexRefused'
  readonly reason: RefusalReason
  /** Milliseconds after which a retry makes sense. */
  readonly retryAfterMs: number

  constructor(reason: RefusalReason, retryAfterMs = 0) {
    super(ERROR_MESSAGES[reason])
    this.reason = reason
    this.retryAfterMs = retryAfterMs
  }

  /** Returns a fault that no logger repeats: every search fails during a refusal, and `EngineObserver` logs it once. */
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

/** What administrators of a tenant can do where its search memory is full. */
export const SEARCH_ROOM_REMEDY =
  'shorten or delete entries or products, or ask the operator to raise SEARCH_MEMORY_PER_TENANT_MB or SEARCH_MEMORY_MB'

/** Messages to clients about a refusal. */
const CLIENT_MESSAGES: Readonly<Record<RefusalReason, string>> = {
  tenant: `Search index needs more memory than this tenant may use: ${SEARCH_ROOM_REMEDY}`,
  crowded: 'Other indexes use all search memory, try again',
  ended: 'Search index could not be built, try again',
}
