/** Filters, ranking, merchandising and hits of the search of products; `SectionSearch` does the rest. */
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
  type RuleInput,
  type CompiledMerchandising,
  type MerchandisingEffect,
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
 * Least similarity by which a product without any word of the query counts as a hit. Measured with bench/quality.ts:
 * see docs/maintainers/search-quality.md.
 */
const SIMILARITY_WITHOUT_MATCH = 0.45
/**
 * Products with all words of the query come first, and alone if there are enough. The others must have most of the
 * words' weight. Measured like the similarity above.
 */
const ALL_WORDS = { enough: 10, shareMin: 0.5, bonus: 1 }
/** Bonus of a product whose title is the query; measured like the similarity above. */
const NAMED = { bonus: 0.4 }
/** Bonus of an identifier before the share of meaning: more than words and clicks can add to a score. */
const EXACT_BONUS = 4 + ALL_WORDS.bonus + NAMED.bonus

/** Search of products within a search of several sections. */
export interface RichProductSearch extends ProductSearch {
  /** Facets by their fields, see `SearchFacets`; `facets` is for the fixed facets of product search. */
  readonly asked?: readonly unknown[]
  /** Most words that may be corrected; see `SearchRequest`. */
  readonly correctedMax?: number
}

/** Options of a search that the code sets rather than the request. */
export interface ProductOptions {
  /** Rules and vocabulary in place of those in force. */
  readonly merchandising?: CompiledMerchandising
  /** Whether the search goes without rules and learnt clicks, to show the whole catalogue. */
  readonly isBrowsed?: boolean
}

export interface ProductPlan extends SectionPlan {
  /** Effect of merchandising on the search; null without rules and vocabulary. */
  readonly effect: MerchandisingEffect | null
  /** Filter of the products that rules do not hide. Hidden products influence no score, count or correction. */
  readonly notHidden: Filter
  /** Read while the query is embedded. */
  readonly boosts: Promise<ReadonlyMap<string, ClickBoost>>
}

export type SearchedProducts = AnsweredSearch<RichProductSearch, ProductPlan>

/** Makes the section of products for `SectionSearch`. */
export function productSection(
  database: Database,
  inForce: MerchandisingInForce,
): SectionKind<RichProductSearch, ProductPlan, ProductOptions> {
  const { queries } = database
  return {
    section: 'products',
    index: PRODUCT_INDEX,
    modeDefault: 'hybrid',
    keywordVectorFrom: () => 'none',
    publicFields: PUBLIC_PRODUCT_FIELDS,
    fieldsOf: (_caller, nowMs) => productSearchFields(nowMs),
    facetsOf: ({ asked = [] }) => asked,
    async plan(caller, input, question, { merchandising, isBrowsed = false }) {
      requirePriceRange(input)
      await requireSites(queries, caller, question.filter.ids)
      const siteId = await searchedSite(queries, caller, input.site_id ?? null, 'body')
      const rules = merchandising ?? (await inForce.of(caller.tenant, isBrowsed ? null : siteId))
      const ruleInput = ruleInputOf(caller, input, question)
      const effect = rules === null ? null : merchandise(rules, ruleInput)
      const onSites = await notHiddenOnSites(inForce, caller, siteId, ruleInput, 'body')
      const notHidden = effect === null ? onSites : { all: [effect.filter, onSites] }
      const query = effect?.query ?? question.typed
      const boosts = isBrowsed ? NO_BOOSTS : boostsOf(database, caller, siteId, question)
      return { query, siteId, effect, notHidden, boosts }
    },
    requestOf: async (caller, input, { typed, mode, nowMs }, { siteId, effect, notHidden, boosts }) => ({
      ...placeOf(caller, siteId, productFilter(input, nowMs), notHidden),
      ...rankingOf(caller, typed, mode, await boosts),
      ...(effect === null ? {} : { raises: effect.raises, synonyms: effect.synonyms }),
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
        searched === null ? null : hitFactsOf(caller, searched),
      ),
    loggedAs: ({ answer, typed }) => ({ query: typed, hits: answer.total }),
  }
}

function hitFactsOf({ publishable }: Caller, { input, plan }: SearchedProducts) {
  return {
    offset: input.offset ?? 0,
    isExplained: input.explain === true,
    boosts: plan.boosts,
    // Visitors must not learn the names of the shop's rules.
    effect: publishable === undefined ? plan.effect : null,
  }
}

/**
 * Returns the products that a search sees and filters, the weight of meaning, and the grouping of variants.
 * @param notHidden filter of the products that rules do not hide
 */
export function placeOf(
  caller: Caller,
  siteId: string | null,
  filter: Filter,
  notHidden: Filter = { all: [] },
): Pick<SearchRequest, 'visible' | 'filter' | 'vectorWeight' | 'groups'> {
  const { variantStrategy, productVectorWeight: vectorWeight } = caller.tenant.settings
  const variants = variantPolicy(variantStrategy)
  return {
    visible: { all: [siteFilter(siteId), notHidden] },
    filter: { all: [filter, variants.filter] },
    vectorWeight,
    groups: variants.groups,
  }
}

function ruleInputOf(
  { tenant: { settings } }: Caller,
  { category, brand }: ProductSearch,
  { typed: query, filter, nowMs }: SectionQuestion,
): RuleInput {
  const { variantStrategy, productVectorWeight: weight } = settings
  // A score is the sum of words, meaning, clicks and the bonus of an identifier, which exceeds the rest together.
  const scoreMax = 2 * exactBonus(weight)
  return { query, ...chosenBy(filter, category, brand), nowMs, variantStrategy, scoreMax }
}

/** Returns the category, the subtree and the brand by which alone a search filters. */
function chosenBy(filter: CompiledFilter, category: string | null | undefined, brand: string | null | undefined) {
  return {
    category: category ?? onlyValueOf(filter, 'category'),
    under: onlyValueOf(filter, CATEGORY_PATH),
    brand: brand ?? onlyValueOf(filter, 'brand'),
  }
}

/** Returns the bonus of an identifier: more than words, clicks and meaning can add to a score. */
function exactBonus(vectorWeight: number): number {
  return EXACT_BONUS + 2 * vectorWeight
}

const NO_BOOSTS: Promise<ReadonlyMap<string, ClickBoost>> = Promise.resolve(new Map())

/** Returns boosts learnt from clicks by product id; none for semantic search, which compares meaning alone. */
function boostsOf(
  database: Database,
  { tenant }: Caller,
  siteId: string | null,
  { typed, mode }: SectionQuestion,
): Promise<ReadonlyMap<string, ClickBoost>> {
  if (mode === 'semantic' || typed === '') return NO_BOOSTS
  return boostsFor(database, tenant, siteId, queryKeyOf(typed, tenant.settings.language))
}

/** Returns what ranks and filters products besides words and meaning. Semantic search ranks by similarity alone. */
function rankingOf(
  caller: Caller,
  query: string,
  mode: SearchMode,
  boosts: ReadonlyMap<string, ClickBoost>,
): Pick<SearchRequest, 'allWords' | 'named' | 'fuzzy' | 'pin' | 'boosts' | 'relevance'> {
  if (query === '') return {}
  // Words do not rank hits in semantic search, but they count in the relevance, misspelt ones too.
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
