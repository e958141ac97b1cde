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
import { type SearchRecorder, SectionSearch, type SelectionInput } from '../../../search/sections/section-search.ts'
import { requireSite } from '../../sites/rules.ts'
import type { ProductBrowse, ProductBrowseAnswer } from '../browse/contract.ts'
import type { Product } from '../contract.ts'
import { familyOf } from '../indexing/index-source.ts'
import { PRODUCT_EMBEDDING } from '../indexing/product-embedding.ts'
import { compileRules, type MerchandisingEffect } from '../merchandising/compile.ts'
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

/** Products of a page of the catalogue, unless the caller names another number. */
const PAGE_DEFAULT = 50

/** Answer of a search without its hits. */
interface ProductSearchFacts extends SearchFacts {
  readonly total: number
  readonly facets: ProductFacets | null
  /** Address to which a rule leads people with this query; null without such a rule. */
  readonly redirect: string | null
  /** Rules and words of the tenant that had an effect, where the caller asks for an explanation; else null. */
  readonly applied: AppliedMerchandising | null
  /** Corrected query, where no product was found and the caller asks for relevance; else null. */
  readonly meant: string | null
  /** Facets by their fields, in the order of the request. */
  readonly counted: readonly Facet[]
}

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
   * Searches products by words, by meaning or by both. Products whose identifier is the query come first. A misspelt
   * word also stands for the nearest words.
   * @throws Fault invalid where the filter, the order or the facets are faulty
   */
  async search(caller: Caller, search: RichProductSearch, place: SearchPlace = {}): Promise<ProductSearchResult> {
    const input = this.#section.withReadableFields(caller, search, place.locOf)
    const searched = await this.#section.find(caller, input, place, {})
    const hits = await this.#section.present(caller, searched)
    const facts = this.#section.record(caller, searched, hits.ids, place.logId)
    return { hits, ...facts, ...factsOf(caller, searched) }
  }

  /** Searches like `search`. @returns the body of the answer as JSON */
  async searchJson(caller: Caller, search: ProductSearch): Promise<SearchFacts & { readonly json: Buffer }> {
    const { hits, ...facts } = await this.search(caller, search)
    return { ...facts, json: writeAnswer(facts, hits.json()) }
  }

  /** Checks the filter, the order and the facets of a search without searching. @throws Fault like `search` */
  checkSelection(caller: Caller, selection: SelectionInput, locOf: LocOf): void {
    this.#section.checkSelection(caller, selection, locOf)
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

  /** Returns all products that pass, for people who maintain the catalogue. Nothing is logged. */
  async browse(
    caller: Caller,
    { facets, limit = PAGE_DEFAULT, ...input }: ProductBrowse,
  ): Promise<ProductBrowseAnswer> {
    const { tenant } = caller
    const catalogueCaller = {
      ...caller,
      tenant: { ...tenant, settings: { ...tenant.settings, variantStrategy: 'all' } },
    } as const
    const search = { ...input, limit, facets: false, asked: facets }
    const searched = await this.#section.find(catalogueCaller, search, {}, { isBrowsed: true })
    const hits = await this.#section.present(catalogueCaller, searched)
    return { total: searched.answer.total, hits: await hits.objects(), facets: [...searched.facets] }
  }

  /** Tells whether the tenant has any product, even a retired one. */
  hasProducts(caller: Caller): Promise<boolean> {
    return store.hasProducts(this.#database.queries, caller.tenant.id)
  }

  /**
   * Returns the products of the same site that are nearest to a product's similarity text, or, where it has none,
   * nearest to it in meaning. Leaves out its parent and variants.
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
  { input, answer, facets, meant, plan: { effect } }: SearchedProducts,
): Omit<ProductSearchFacts, keyof SearchFacts> {
  const isExplained = input.explain === true && publishable === undefined
  return {
    total: answer.total,
    facets: answer.facets === undefined || facets.length > 0 ? null : productFacets(answer.facets),
    counted: facets,
    redirect: effect?.redirect ?? null,
    applied: isExplained && effect !== null ? appliedOf(effect) : null,
    meant,
  }
}

function appliedOf({ rules, synonyms, query }: MerchandisingEffect): AppliedMerchandising {
  return {
    rules: rules.map(({ id, name, action }) => ({ rule_id: id, name, action })),
    synonyms: synonyms.flatMap(({ of, word }) => (of === word ? [] : [{ of, word }])),
    query,
  }
}

/** Returns an answer as JSON. @param hits list of hits as JSON */
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
