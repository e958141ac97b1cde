/** What sets the search of products apart. */
import type { ClickBoost } from '../../../insights/learning/learning.ts'
import { boostsFor } from '../../../insights/learning/boosts.ts'
import { queryKeyOf } from '../../../insights/search-log/query-key.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Filter, SearchMode, SearchRequest } from '../../../search/engine.ts'
import { type CompiledFilter, onlyValueOf } from '../../../search/request/filter.ts'
import type {
  AnsweredSearch,
  SectionKind,
  SectionPlan,
  SectionQuestion,
} from '../../../search/sections/section-search.ts'
import { requireSites, searchedSite } from '../../sites/rules.ts'
import { CATEGORY_PATH } from '../indexing/category-path.ts'
import { PRODUCT_INDEX } from '../indexing/index-source.ts'
import {
  type AskedSearch,
  type CompiledMerchandising,
  type Merchandised,
  merchandise,
} from '../merchandising/compile.ts'
import { notHiddenOnSites } from '../merchandising/hidden-on-sites.ts'
import type { MerchandisingInForce } from '../merchandising/in-force.ts'
import * as store from '../store.ts'
import { identifierForms } from './identifiers.ts'
import { productSearchFields, PUBLIC_PRODUCT_FIELDS } from './product-fields.ts'
import { DESCRIPTION_LENGTH_MAX, productHits } from './product-hits.ts'
import type { ProductSearch } from './search-contract.ts'
import { facetRequest } from './search-facets.ts'
import { productFilter, requirePriceRange, siteFilter, variantPolicy } from './search-filter.ts'

/**
 * Similarity from which a product that holds no word of the query counts as a hit. Measured with bench/quality.ts: see
 * docs/maintainers/search-quality.md.
 */
const SIMILARITY_WITHOUT_MATCH = 0.45
/**
 * Products with all words of the query come first, and alone if there are enough. The others must have most of the
 * words' weight. Measured like the similarity above.
 */
const ALL_WORDS = { enough: 10, shareMin: 0.5, bonus: 1 }
/** What a product gains whose title is the query; measured like the similarity above. */
const NAMED = { bonus: 0.4 }
/** More than words and clicks can add to a score. Twice the weight of meaning is added, for the share of meaning. */
const EXACT_BONUS = 4 + ALL_WORDS.bonus + NAMED.bonus

/** What a search of products among others asks for besides. */
export interface RichProductSearch extends ProductSearch {
  /** See `SearchFacets`; the fixed facets of `facets` are others. */
  readonly asked?: readonly unknown[]
  /** Words that may be corrected; see `SearchRequest`. */
  readonly correctedMax?: number
}

/** What code asks of a search besides the request. */
export interface ProductOptions {
  /** Rules in place of those in force. */
  readonly merchandising?: CompiledMerchandising
  /** Whether neither rules nor learnt clicks count. */
  readonly isBrowsed?: boolean
}

export interface ProductPlan extends SectionPlan {
  /** What rules do with the search; null without rules. */
  readonly merchandised: Merchandised | null
  /** What rules leave to be shown. The rest is not visible, so that no score or correction tells of it. */
  readonly shown: Filter
  readonly boosts: ReadonlyMap<string, ClickBoost>
}

export type SearchedProducts = AnsweredSearch<RichProductSearch, ProductPlan>

export function productSection(
  database: Database,
  inForce: MerchandisingInForce,
): SectionKind<RichProductSearch, ProductPlan, ProductOptions> {
  const { queries } = database
  return {
    section: 'products',
    index: PRODUCT_INDEX,
    modeDefault: 'hybrid',
    embedsKeywords: false,
    publicFields: PUBLIC_PRODUCT_FIELDS,
    fieldsOf: (_caller, nowMs) => productSearchFields(nowMs),
    facetsOf: ({ asked = [] }) => asked,
    async plan(caller, input, question, { merchandising, isBrowsed = false }) {
      requirePriceRange(input)
      await requireSites(queries, caller, question.filter.ids)
      const siteId = await searchedSite(queries, caller, input.site_id ?? null, 'body')
      const rules = merchandising ?? (await inForce.of(caller.tenant, isBrowsed ? null : siteId))
      const asked = rulesAskedFor(caller, input, question)
      const merchandised = rules === null ? null : merchandise(rules, asked)
      const onSites = await notHiddenOnSites(inForce, caller, siteId, asked, 'body')
      const shown = merchandised === null ? onSites : { all: [merchandised.filter, onSites] }
      const query = merchandised?.query ?? question.typed
      const boosts = isBrowsed ? new Map<string, ClickBoost>() : await boostsOf(database, caller, siteId, question)
      return { query, siteId, merchandised, shown, boosts }
    },
    requestOf: (caller, input, { typed, mode, nowMs }, { siteId, merchandised, shown, boosts }) =>
      Promise.resolve({
        ...placeOf(caller, siteId, productFilter(input, nowMs), shown),
        ...rankingOf(caller, typed, mode, boosts),
        ...(merchandised === null ? {} : { raises: merchandised.raises, synonyms: merchandised.synonyms }),
        ...(input.facets === false ? {} : { facets: facetRequest(nowMs) }),
      }),
    isMissed: ({ total }) => total === 0,
    spellingFor: ({ tenant: { id: tenantId } }) => ({
      titlesOf: async (ids) =>
        new Map((await store.findSuggested(queries, tenantId, ids)).map(({ id, title }) => [id, title])),
      textsOf: (ids) => store.findDescriptions(queries, tenantId, ids, DESCRIPTION_LENGTH_MAX),
    }),
    hitsFor: (caller, searched) =>
      productHits(
        queries,
        caller,
        caller.tenant.settings.variantStrategy === 'parents_only',
        searched === null ? null : choiceOf(caller, searched),
      ),
    loggedAs: ({ answer, typed }) => ({ query: typed, hits: answer.total }),
  }
}

function choiceOf({ publishable }: Caller, { input, plan }: SearchedProducts) {
  return {
    offset: input.offset ?? 0,
    isExplained: input.explain === true,
    boosts: plan.boosts,
    // The names of rules are the shop's own affair.
    merchandised: publishable === undefined ? plan.merchandised : null,
  }
}

/**
 * Returns where a search looks and what it groups.
 * @param shown what rules do not hide
 */
export function placeOf(
  caller: Caller,
  siteId: string | null,
  filter: Filter,
  shown: Filter = { all: [] },
): Pick<SearchRequest, 'visible' | 'filter' | 'vectorWeight' | 'groups'> {
  const { variantStrategy, productVectorWeight: vectorWeight } = caller.tenant.settings
  const variants = variantPolicy(variantStrategy)
  return {
    visible: { all: [siteFilter(siteId), shown] },
    filter: { all: [filter, variants.filter] },
    vectorWeight,
    groups: variants.groups,
  }
}

function rulesAskedFor(
  { tenant: { settings } }: Caller,
  { category, brand }: ProductSearch,
  { typed: query, filter, nowMs }: SectionQuestion,
): AskedSearch {
  const { variantStrategy, productVectorWeight: weight } = settings
  // All words, all meaning, clicks, and the bonus of an identifier, which is more than these.
  const scoreMax = 2 * exactBonus(weight)
  return { query, ...chosenBy(filter, category, brand), nowMs, variantStrategy, scoreMax }
}

function chosenBy(filter: CompiledFilter, category: string | null | undefined, brand: string | null | undefined) {
  return {
    category: category ?? onlyValueOf(filter, 'category'),
    under: onlyValueOf(filter, CATEGORY_PATH),
    brand: brand ?? onlyValueOf(filter, 'brand'),
  }
}

function exactBonus(vectorWeight: number): number {
  return EXACT_BONUS + 2 * vectorWeight
}

/** Boosts learnt from clicks; none for semantic search, which compares meaning alone. */
function boostsOf(
  database: Database,
  { tenant }: Caller,
  siteId: string | null,
  { typed, mode }: SectionQuestion,
): Promise<ReadonlyMap<string, ClickBoost>> | ReadonlyMap<string, ClickBoost> {
  if (mode === 'semantic' || typed === '') return new Map()
  return boostsFor(database, tenant, siteId, queryKeyOf(typed, tenant.settings.language))
}

/** What ranks and filters products besides words and meaning. Semantic search ranks by the similarity alone. */
function rankingOf(
  caller: Caller,
  query: string,
  mode: SearchMode,
  boosts: ReadonlyMap<string, ClickBoost>,
): Pick<SearchRequest, 'allWords' | 'named' | 'fuzzy' | 'pin' | 'boosts' | 'relevance'> {
  if (query === '') return {}
  // Words do not rank by meaning, but they count in the relevance.
  if (mode === 'semantic') return { fuzzy: true }
  const identifiers = identifierForms(query)
  const bonus = exactBonus(caller.tenant.settings.productVectorWeight)
  return {
    fuzzy: true,
    allWords: ALL_WORDS,
    named: NAMED,
    ...(identifiers.length === 0 ? {} : { pin: { filter: { field: 'identifier', anyOf: identifiers }, bonus } }),
    ...(boosts.size === 0 ? {} : { boosts: Array.from(boosts, ([id, { boost }]) => ({ id, boost })) }),
    ...(mode === 'hybrid' ? { relevance: { minSimilarityWithoutMatch: SIMILARITY_WITHOUT_MATCH } } : {}),
  }
}
