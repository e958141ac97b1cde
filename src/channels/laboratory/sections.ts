import type { EntrySearchRules, EntryHit } from '../../knowledge/entries/search/search-rules.ts'
import type { Caller } from '../../platform/access/caller.ts'
import type { SearchPlace } from '../../search/request/place.ts'
import type { ProductHit } from '../../shop/products/search/search-contract.ts'
import type { ProductSearchRules } from '../../shop/products/search/search-rules.ts'
import type { LaboratoryHit, LaboratorySearch, Mode, SectionName } from './contract.ts'

/** A search in one mode. */
export interface ModeSearch extends Pick<LaboratorySearch, 'query' | 'site_id' | 'filter' | 'min_relevance'> {
  readonly mode: Mode
  readonly limit: number
  readonly offset?: number
}

interface ModeAnswer {
  readonly hits: LaboratoryHit[]
  readonly total: number
  readonly degraded: boolean
  readonly timing: Readonly<Record<string, number>>
}

/** Searches one section as the viewer: the caller, perhaps with another role or ceiling. */
export type SearchSection = (viewer: Caller, search: ModeSearch, place?: SearchPlace) => Promise<ModeAnswer>

const PASSAGE_LENGTH_MAX = 600
const TERMS_MAX = 20
const EXCERPT = { length: 240 }

export function sectionsOf(
  entries: EntrySearchRules,
  products: ProductSearchRules,
): Readonly<Record<SectionName, SearchSection>> {
  return {
    async knowledge(viewer, { offset = 0, ...search }, place) {
      const fields = ['id', 'title', 'language', 'visibility'] as const
      const input = { ...search, offset, relevance: true, explain: true, fields: [...fields], excerpt: EXCERPT }
      const { hits: page, ...facts } = await entries.search(viewer, input, viewer.tenant.settings.language, place)
      const hits = await page.objects<EntryHit>()
      return { ...facts, hits: hits.map((hit, i) => entryHit(hit, search.mode, offset + i + 1)) }
    },
    async products(viewer, { offset = 0, ...search }, place) {
      const fields = ['id', 'title', 'language'] as const
      const rich = { relevance: true, explain: true, facets: false, fields: [...fields], excerpt: EXCERPT }
      const { hits: page, ...facts } = await products.search(viewer, { ...search, offset, ...rich }, place)
      const hits = await page.objects<ProductHit>()
      return { ...facts, hits: hits.map((hit) => productHit(hit, search.mode)) }
    },
  }
}

function entryHit({ entry, similarity, explanation, ...hit }: EntryHit, mode: Mode, rank: number): LaboratoryHit {
  const { bm25, coverage, vector_weight: weight, instead_of_coverage: instead = 0, terms, passage } = explanation!
  const { scaled_similarity: scaled = similarity } = explanation!
  const words = mode === 'keyword' ? bm25 : Math.max(coverage ?? 0, instead)
  const score = hit.score ?? scaled
  return {
    id: entry.id,
    title: entry.title,
    language: entry.language,
    visibility: entry.visibility,
    rank,
    similarity,
    relevance: hit.relevance ?? 0,
    score,
    ...sharesOf({ mode, score, scaled, weight, words }),
    terms: heaviest(terms),
    passage: passage === null ? null : passage.text.slice(0, PASSAGE_LENGTH_MAX),
    ...(hit.excerpt === undefined ? {} : { excerpt: hit.excerpt }),
  }
}

function productHit({ product, similarity, score, rank, explanation, ...hit }: ProductHit, mode: Mode): LaboratoryHit {
  const { bm25, coverage, vector_weight: weight, scaled_similarity: scaled = similarity, terms } = explanation!
  const words = mode === 'keyword' ? bm25 : (coverage ?? 0)
  return {
    id: product.id,
    title: product.title,
    language: product.language,
    visibility: null,
    rank,
    similarity,
    relevance: hit.relevance ?? 0,
    score,
    ...sharesOf({ mode, score, scaled, weight, words }),
    terms: heaviest(terms),
    passage: null,
    ...(hit.excerpt === undefined ? {} : { excerpt: hit.excerpt }),
  }
}

interface Parts {
  readonly mode: Mode
  readonly score: number
  /** What counts in place of the similarity. */
  readonly scaled: number
  /** Weight of it in the hybrid score. */
  readonly weight: number
  readonly words: number
}

/** Splits a score into its parts; `other` is the rest that neither meaning nor words explain. */
function sharesOf({ mode, score, scaled, weight, words }: Parts): Pick<LaboratoryHit, 'meaning' | 'words' | 'other'> {
  const meaning = mode === 'keyword' ? 0 : mode === 'semantic' ? scaled : weight * scaled
  const counted = mode === 'semantic' ? 0 : words
  return { meaning, words: counted, other: score - meaning - counted }
}

function heaviest(terms: readonly { term: string; score: number; typed?: string }[]): LaboratoryHit['terms'] {
  const sorted = terms.toSorted((a, b) => b.score - a.score).slice(0, TERMS_MAX)
  return sorted.map(({ term, score, typed }) => (typed === undefined ? { term, score } : { term, score, typed }))
}
