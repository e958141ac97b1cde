import type { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import type { Database } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/faults.ts'
import type { EngineForRequests } from '../../../search/engine.ts'
import type { PresentedHits } from '../../../search/hits/presented-hits.ts'
import type { SearchFacts } from '../../../search/hits/search-facts.ts'
import { findAnchor } from '../../../search/request/anchor.ts'
import type { Facet } from '../../../search/request/contract.ts'
import type { LocOf, SearchPlace } from '../../../search/request/place.ts'
import { type SearchRecorder, SectionSearch } from '../../../search/sections/section-search.ts'
import { requireSite } from '../../sites/rules.ts'
import type { ProductBrowse, ProductBrowseAnswer } from '../browse/contract.ts'
import type { Product } from '../contract.ts'
import { familyOf } from '../indexing/index-source.ts'
import { PRODUCT_EMBEDDING } from '../indexing/product-embedding.ts'
import { compileRules, type Merchandised } from '../merchandising/compile.ts'
import type { MerchandisingPreview, MerchandisingPreviewAnswer } from '../merchandising/contract.ts'
import type { MerchandisingInForce } from '../merchandising/in-force.ts'
import { previewedRules } from '../merchandising/rule.ts'
import { vocabularyOf } from '../merchandising/rules.ts'
import { compileVocabulary } from '../merchandising/vocabulary.ts'
import * as store from '../store.ts'
import {
  placeOf,
  type ProductOptions,
  type ProductPlan,
  productSection,
  type RichProductSearch,
  type SearchedProducts,
} from './product-section.ts'
import { AppliedMerchandising, ProductFacets, type ProductSearch } from './search-contract.ts'
import { productFacets } from './search-facets.ts'

/** Products of a page, unless the caller says otherwise. */
const BROWSED_DEFAULT = 50

/** The answer of a search besides its hits. */
interface ProductSearchFacts extends SearchFacts {
  readonly total: number
  readonly facets: ProductFacets | null
  /** Where a rule leads people with this query; null without such a rule. */
  readonly redirect: string | null
  /** What rules and words of the tenant did, if an explanation was asked for and there are some. */
  readonly applied: AppliedMerchandising | null
  /** What the query was meant to say, if nothing was found and the caller asks for relevance; else null. */
  readonly meant: string | null
  /** The facets that were asked for by their fields. */
  readonly counted: readonly Facet[]
}

/** What a section of a search says of its hits. */
type AskedSection = Pick<ProductSearch, 'filter' | 'sort'> & { readonly facets?: readonly unknown[] }

interface ProductSearchResult extends ProductSearchFacts {
  readonly hits: PresentedHits
}

const writeFacets = compileSerialiser(ProductFacets)
const writeApplied = compileSerialiser(AppliedMerchandising)

interface SearchParts {
  readonly database: Database
  readonly engine: EngineForRequests
  readonly embedders: EmbedderPool
  readonly log: SearchRecorder
  readonly merchandising: MerchandisingInForce
}

export class ProductSearchRules {
  readonly #database: Database
  readonly #section: SectionSearch<RichProductSearch, ProductPlan, ProductOptions>

  constructor({ database, engine, embedders, log, merchandising }: SearchParts) {
    this.#database = database
    this.#section = new SectionSearch({ engine, embedders, log }, productSection(database, merchandising))
  }

  /**
   * Searches products by words, by meaning or by both. Exact hits on an identifier come first. A misspelt word also
   * finds the nearest words.
   * @throws Fault invalid where the filter, the order or the facets are faulty
   */
  async search(caller: Caller, asked: RichProductSearch, place: SearchPlace = {}): Promise<ProductSearchResult> {
    const input = this.#section.withReadableFields(caller, asked, place.locOf)
    const searched = await this.#section.find(caller, input, place, {})
    const hits = await this.#section.present(caller, searched)
    const facts = this.#section.record(caller, searched, hits.ids, place.logId)
    return { hits, ...facts, ...factsOf(caller, searched) }
  }

  /** The same search, written as the body of an answer. */
  async searchJson(caller: Caller, asked: ProductSearch): Promise<SearchFacts & { readonly json: Buffer }> {
    const { hits, ...facts } = await this.search(caller, asked)
    return { ...facts, json: writeAnswer(facts, hits.json()) }
  }

  /** @throws Fault invalid like `search`, without searching: where the filter, the order or the facets are faulty */
  requireAskable(caller: Caller, asked: AskedSection, locOf: LocOf): void {
    this.#section.requireAskable(caller, asked, locOf)
  }

  /**
   * Returns the answer that rules of the request would give in place of the stored ones. Nothing is stored or logged.
   * @throws Fault not_found without the site; invalid for a rule whose fields do not agree
   */
  async preview(
    caller: Caller,
    siteId: string,
    input: MerchandisingPreview,
    place: SearchPlace = {},
  ): Promise<MerchandisingPreviewAnswer> {
    const { queries } = this.#database
    await requireSite(queries, caller.tenant.id, siteId)
    const { rules, synonyms, stop_words, at, ...search } = input
    const stored = await vocabularyOf(queries, caller.tenant.id)
    const merchandising = {
      rules: compileRules(previewedRules(rules)),
      vocabulary: compileVocabulary({
        synonyms: synonyms ?? stored.synonyms,
        stop_words: stop_words ?? stored.stop_words,
      }),
    }
    const nowMs = at === undefined ? Date.now() : Date.parse(at)
    const explained = { ...search, site_id: siteId, explain: true }
    const searched = await this.#section.find(caller, explained, place, { merchandising }, nowMs)
    const { total, facets, redirect } = factsOf(caller, searched)
    const hits = await this.#section.present(caller, searched)
    return { total, hits: await hits.objects(), facets, redirect }
  }

  /** Returns every product that passes, as those who keep the catalogue look through it. Nothing is logged. */
  async browse(
    caller: Caller,
    { facets, limit = BROWSED_DEFAULT, ...input }: ProductBrowse,
  ): Promise<ProductBrowseAnswer> {
    const { tenant } = caller
    const whole = {
      ...caller,
      tenant: { ...tenant, settings: { ...tenant.settings, variantStrategy: 'all' } },
    } as const
    const search = { ...input, limit, facets: false, asked: facets }
    const searched = await this.#section.find(whole, search, {}, { isBrowsed: true })
    const hits = await this.#section.present(whole, searched)
    return { total: searched.answer.total, hits: await hits.objects(), facets: [...searched.facets] }
  }

  /** Whether the tenant has any product, even a retired one. */
  hasProducts(caller: Caller): Promise<boolean> {
    return store.hasProducts(this.#database.queries, caller.tenant.id)
  }

  /**
   * Returns products of the same site nearest to the similarity text of one, else in meaning, without its family.
   * @throws Fault not_found without the product
   */
  async similar(caller: Caller, id: string, limit: number): Promise<{ product: Product; similarity: number }[]> {
    const { queries } = this.#database
    const row = await store.findProduct(queries, caller.tenant.id, id)
    if (row === null) throw notFound(['path', 'product_id'], 'Product')
    const vector = await findAnchor(queries, PRODUCT_EMBEDDING, row, caller.tenant.embeddingModel)
    if (vector === null) return []
    const filter = { not: { field: 'family', anyOf: [familyOf(row)] } }
    const hits = await this.#section.nearest(caller, { ...placeOf(caller, row.site_id, filter), vector, limit })
    return hits.objects()
  }
}

function factsOf(
  { publishable }: Caller,
  { input, answer, facets, meant, plan: { merchandised } }: SearchedProducts,
): Omit<ProductSearchFacts, keyof SearchFacts> {
  const isExplained = input.explain === true && publishable === undefined
  return {
    total: answer.total,
    facets: answer.facets === undefined || facets.length > 0 ? null : productFacets(answer.facets),
    counted: facets,
    redirect: merchandised?.redirect ?? null,
    applied: isExplained && merchandised !== null ? appliedOf(merchandised) : null,
    meant,
  }
}

function appliedOf({ rules, synonyms, query }: Merchandised): AppliedMerchandising {
  return {
    rules: rules.map(({ id, name, action }) => ({ rule_id: id, name, action })),
    synonyms: synonyms.flatMap(({ of, word }) => (of === word ? [] : [{ of, word }])),
    query,
  }
}

/** Writes a whole answer. @param hits the list of hits as JSON */
function writeAnswer({ total, facets, meant, logId, redirect, applied }: ProductSearchFacts, hits: Buffer): Buffer {
  const more =
    (meant === null ? '' : `,"did_you_mean":${JSON.stringify(meant)}`) +
    (redirect === null ? '' : `,"redirect":${JSON.stringify(redirect)}`) +
    (applied === null ? '' : `,"merchandising":${writeApplied(applied)}`)
  return Buffer.concat([
    Buffer.from(`{"search_log_id":${JSON.stringify(logId)},"total":${total},"hits":`),
    hits,
    Buffer.from(`,"facets":${facets === null ? 'null' : writeFacets(facets)}${more}}`),
  ])
}
