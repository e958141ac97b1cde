import type { Partition } from '../../analysis/analysis.ts'
import type { SearchRequest } from '../../engine.ts'
import type { Shares } from '../../ranking/hybrid-score.ts'
import type { Bits } from '../columns/bitset.ts'
import type { FacetValues } from '../columns/facet-column.ts'
import type { Segment } from '../columns/segment.ts'
import type { AllWords } from './all-words.ts'
import type { SegmentFilters } from './filters.ts'
import type { KeywordScores, KeywordStatistics, SearchPart, View } from './keyword.ts'
import type { Names } from './names.ts'
import type { Pins } from './pins.ts'
import type { Raises } from './raises.ts'
import type { Direction } from './similarity.ts'
import type { Scale } from './scale.ts'
import type { SortOrder } from './sort-order.ts'
import type { WordCover } from './word-cover.ts'

/** The parts of an index that a search reads. None changes while a search runs. */
export interface Searchable {
  readonly segments: readonly Segment[]
  readonly filters: readonly SegmentFilters[]
  /** Dimensions of the vectors; null if there are none. */
  readonly dimensions: number | null
  readonly groupCount: number
  readonly facetValues: Readonly<Record<string, FacetValues>>
  /** The words of all visible documents, where the index has only some of them; by default the segments have them. */
  readonly view?: View | null
}

/** A search that is prepared up to the bounds of its cosines. */
export interface Plan {
  readonly request: SearchRequest
  readonly parts: readonly SearchPart[]
  readonly statistics: KeywordStatistics | null
  readonly keyword: readonly KeywordScores[] | null
  /** By segment, the documents that can become hits; `minSimilarity` and `relevance` may still remove some. */
  readonly qualified: readonly Bits[]
  /**
   * By segment, the documents that are relevant whatever their cosine, because a concept matches, they are pinned, or a
   * raise lets them qualify. Null without `relevance`.
   */
  readonly relevant: readonly Bits[] | null
  /** By segment, the documents that their groups prefer to show; null without groups. */
  readonly preferred: readonly Bits[] | null
  readonly pins: Pins | null
  readonly raises: Raises | null
  /** Null if the request needs no cover, and for a query without words. */
  readonly cover: WordCover | null
  /** Null without `allWords`, and for a query without words. */
  readonly allWords: AllWords | null
  /** Null without `named`, and for a query without words. */
  readonly names: Names | null
  /** The order that comes before relevance; null if the request does not sort. */
  readonly order: SortOrder | null
  /** By id, the boosts of hits in the unit of the mode's score; null without boosts. */
  readonly boosts: ReadonlyMap<string, number> | null
  /**
   * The query's language, where hits in other languages are rated differently; null if it is not sure, and elsewhere.
   */
  readonly rateLanguage: Partition | null
  /** Shares of the cosine in place of coverage, for a hybrid search with `byQuery`; null for any other search. */
  readonly shares: Shares | null
  /** The direction of the query's vector; null without one, and then every cosine is 0. */
  readonly direction: Direction | null
  /** The scale of the cosines; null where they count as they are, and where every cosine is 0. */
  readonly scale: Scale | null
}
