import {
  flag,
  id,
  type Kind,
  language,
  list,
  nullable,
  object,
  real,
  record,
  text,
  whole,
  wide,
  word,
} from './kinds.ts'
import { cursor, type Fields, members, type Operation, pages, type World } from './operation.ts'
import { address, bounded, decimal, moment, number, share, siteName, slug } from './shop-kinds.ts'

const SITE_TYPES = ['website', 'shop', 'app', 'intranet', 'other']
const SOURCES = ['api', 'import', 'feed']
const SEARCH_MODES = ['hybrid', 'keyword', 'semantic']
const SECTIONS = ['products', 'knowledge']
const PRODUCT_FIELDS = `
  id tenant_id site_id external_id title description short_description sku gtin gtins brand category attributes
  properties price_current price_msrp price_special price_special_from price_special_until price_effective
  price_on_request currency image_url additional_images product_url availability rating_average rating_count
  language translation_group_id parent_product_id is_variant is_parent source version sync_hash last_synced_at
  created_at updated_at search_keywords has_similarity_anchor
`
  .trim()
  .split(/\s+/)
/**
 * Fields that hits have here. The other tests make large entries and products, and the answers together have a bound.
 */
const short = { products: { fields: ['id'] }, knowledge: { fields: ['id'] } }
const DEFAULT_SITE = 'default'

/** Returns the operations of sites, products, product searches, clicks and analytics, written like `operations`. */
export function shopOperations(world: World): Readonly<Record<string, Operation>> {
  const oneSite: Operation = { path: { site_id: id(world.site) } }
  const siteNamed = (max: number | null = null) => siteName(max, world.site, DEFAULT_SITE)
  const site = (letter: string): Fields => ({
    slug: slug(letter),
    name: text(1, 200),
    domain: nullable(text(1, 253)),
    language: language(5),
    site_type: word(SITE_TYPES),
    platform: nullable(text(0, 100)),
    config: bounded(object({}, { free: [1, null, { form: true }] }), 64 * 1_024, 'Config'),
    // In this order: the default site cannot stop being the default, another site must become it.
    is_default: { ...flag(), accepts: [false, true] },
  })

  // Longer than an index key of any database.
  const long = (min = 0): Kind => ({ ...text(min, null), accepts: [...text(min, null).accepts, wide(4_000)] })
  const anyText = () => nullable(long())
  const words = () => list(long(), 0, null, (i) => `${i}`)
  const product: Fields = {
    title: long(1),
    language: language(5),
    external_id: nullable(text(0, 200)),
    description: anyText(),
    short_description: anyText(),
    sku: nullable(text(0, 100)),
    gtin: nullable(text(0, 50)),
    gtins: list(text(1, 50), 0, 1_000, (i) => `${i}`),
    brand: nullable(text(0, 200)),
    category: anyText(),
    attributes: object({}, { free: [1, null, { form: true }] }),
    properties: object({}, { free: [1, null, { form: true }] }),
    price_current: nullable(decimal()),
    price_msrp: nullable(decimal()),
    price_special: nullable(decimal()),
    // The start must not be after the end.
    price_special_from: nullable(moment('2026-01-01T00:00:00Z')),
    price_special_until: nullable(moment('2026-12-31T23:59:59.999Z')),
    price_on_request: flag(),
    currency: text(0, 3),
    image_url: anyText(),
    additional_images: words(),
    product_url: anyText(),
    availability: nullable(text(0, 50)),
    rating_average: nullable(decimal('5')),
    rating_count: whole(0),
    parent_external_id: anyText(),
    is_variant: flag(),
    is_parent: flag(),
    similarity_text: anyText(),
    search_keywords: words(),
    embedding_text_description: anyText(),
    embedding_text_properties: anyText(),
    embedding_text_attributes: anyText(),
    sync_hash: nullable(text(0, 64)),
  }
  const newProduct: Operation = {
    query: { site_id: siteNamed() },
    needs: ['site_id'],
    body: product,
    required: ['title', 'language'],
    good: { title: 'A product', language: 'en' },
  }
  const oneProduct: Operation = { path: { product_id: id(world.product) } }
  const { title, language: tag, external_id: externalId, ...clearable } = product
  const patch: Fields = {
    title,
    language: tag,
    // The product has none, and cannot get one.
    external_id: { ...externalId, accepts: [null] },
    ...Object.fromEntries(Object.entries(clearable).map(([name, kind]) => [name, nullable(kind)])),
  }
  const filter = () => nullable(text(0, 1_000))
  const unlimited = (): Kind => text(0, null)
  const values = () => list(text(1, 200), 0, 20, (i) => `${i}`)
  const rule: Fields = {
    name: text(1, 200),
    action: word(['pin', 'hide', 'boost', 'bury', 'redirect']),
    is_active: flag(),
    from: nullable(moment('2026-01-01T00:00:00Z')),
    to: nullable(moment('2026-12-31T23:59:59.999Z')),
    query: nullable(text(1, 200)),
    match: word(['exact', 'contains']),
    filter_category: filter(),
    filter_brand: filter(),
    product_ids: list(id(world.product), 0, 100, () => world.product),
    brands: values(),
    categories: values(),
    availabilities: values(),
    filter: nullable(object({ all: [] }, { field: 'brand', any_of: ['x'] })),
    strength: real(0, 1),
    address: nullable(address()),
  }
  // Each action with the fields that it needs.
  const goodRule = {
    name: 'A rule',
    action: 'hide',
    query: 'something',
    address: '/somewhere',
    product_ids: [world.product],
    brands: ['A brand'],
  }
  const oneRule: Operation = { path: { site_id: id(world.site), rule_id: id(world.rule) } }
  const phrases = () => list(text(1, 100), 1, 20, (i) => `${i}`)
  const synonym = record({ words: phrases(), from: nullable(text(1, 100)) }, { words: ['a', 'b'] }, ['words'])
  const synonyms = (max: number) => list(synonym, 0, max, (i) => ({ words: [`a${i}`, `b${i}`] }))
  const stopWords = (max: number) => list(text(1, 100), 0, max, (i) => `w${i}`)
  const search: Fields = {
    query: text(0, 2_000),
    limit: whole(1, 100),
    offset: whole(0, 1_000),
    mode: word(SEARCH_MODES),
    category: filter(),
    brand: filter(),
    availability: filter(),
    language: nullable(language(null)),
    sku: filter(),
    price_min: decimal(),
    price_max: decimal(),
    facets: flag(),
    prefix: flag(),
    relevance: flag(),
    min_relevance: nullable(real(0, 1)),
    filter: object({ all: [] }, { field: 'price', gte: 1 }),
    sort: object({ field: 'price' }, { field: 'created_at', order: 'desc' }),
    fields: list(word(PRODUCT_FIELDS), 1, 50, (i) => PRODUCT_FIELDS[i % PRODUCT_FIELDS.length]),
    excerpt: object({}, { length: 50 }, { length: 1_000 }),
  }

  return {
    createSite: {
      body: site('a'),
      required: ['slug', 'name'],
      good: { slug: 'site', name: 'A site' },
      unique: 'slug',
    },
    listSites: { query: pages([0, 'A site', world.site]) },
    getSite: oneSite,
    updateSite: { ...oneSite, body: site('b') },
    deleteSite: oneSite,
    listMerchandisingRules: oneSite,
    createMerchandisingRule: {
      ...oneSite,
      body: rule,
      required: ['name', 'action'],
      good: goodRule,
      // A site has 200 rules at most.
      refusals: [409],
    },
    getMerchandisingRule: oneRule,
    replaceMerchandisingRule: { ...oneRule, body: rule, required: ['name', 'action'], good: goodRule },
    deleteMerchandisingRule: oneRule,
    previewMerchandising: {
      ...oneSite,
      body: {
        ...search,
        rules: list(record(rule, goodRule, ['name', 'action']), 0, 50, () => goodRule),
        synonyms: synonyms(100),
        stop_words: stopWords(100),
        at: moment('0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'),
      },
      required: ['rules'],
      good: { query: 'something', rules: [] },
    },
    getSearchVocabulary: {},
    replaceSearchVocabulary: {
      body: { synonyms: synonyms(1_000), stop_words: stopWords(500) },
      required: ['synonyms', 'stop_words'],
      good: { synonyms: [], stop_words: [] },
    },
    addSiteKnowledge: { ...oneSite, ...members('entry_ids', world.entry) },
    setSiteKnowledge: { ...oneSite, ...members('entry_ids', world.entry) },
    listSiteKnowledge: { ...oneSite, query: { limit: whole(1, 1_000), cursor: cursor() } },
    clearSiteKnowledge: oneSite,
    removeSiteKnowledge: { path: { ...oneSite.path, entry_id: id(world.entry) } },
    upsertProduct: newProduct,
    importProducts: {
      ...newProduct,
      query: {
        ...newProduct.query,
        sync: word(['delta', 'full']),
        source: word(SOURCES),
        max_retired: share(),
        dry_run: flag(),
        answers: word(['every', 'failed']),
        // A patch needs a product that is there.
        mode: { ...word(['upsert', 'patch']), accepts: ['upsert'] },
      },
    },
    patchProduct: { ...oneProduct, body: patch, good: {} },
    patchProductByExternalId: {
      path: { external_id: unlimited() },
      query: newProduct.query,
      needs: newProduct.needs,
      body: patch,
      good: {},
      refusals: [404],
    },
    bulkDeleteProducts: {
      query: newProduct.query,
      needs: newProduct.needs,
      body: { external_ids: list(text(0, 200), 1, 500, (i) => `unknown ${i}`), dry_run: flag() },
      required: ['external_ids'],
      good: { external_ids: ['unknown'] },
    },
    listProductSyncRuns: { ...oneSite, query: pages([world.site]) },
    listProducts: {
      query: {
        site_id: siteNamed(),
        external_id: unlimited(),
        brand: unlimited(),
        category: unlimited(),
        availability: unlimited(),
        language: language(null),
        source: word(SOURCES),
        is_variant: flag(),
        is_parent: flag(),
        parent_product_id: id(world.product),
        include_total: flag(),
        limit: whole(1, 1_000),
        cursor: cursor(),
      },
    },
    getProduct: oneProduct,
    deleteProduct: oneProduct,
    searchProducts: {
      body: { ...search, site_id: nullable(siteNamed(1_000)), explain: flag(), visitor_id: text(1, 200) },
      good: { query: 'something' },
    },
    browseProducts: {
      body: {
        query: text(0, 2_000),
        site_id: nullable(siteNamed(1_000)),
        mode: word(SEARCH_MODES),
        prefix: flag(),
        limit: whole(1, 100),
        offset: whole(0, 1_000_000),
        filter: search.filter,
        sort: search.sort,
        facets: list(object(), 0, 20, () => ({ field: 'brand' })),
        fields: search.fields,
      },
      good: { query: 'something' },
    },
    listSimilarProducts: { ...oneProduct, query: { limit: whole(1, 100) } },
    suggest: {
      query: {
        q: text(1, 200),
        section: list(word(SECTIONS), 0, 10, (i) => SECTIONS[i % 2]),
        site_id: siteNamed(200),
        limit: whole(1, 20),
      },
      needs: ['q'],
    },
    search: {
      body: {
        query: text(0, 2_000),
        site_id: nullable(siteNamed(1_000)),
        sections: list(word(SECTIONS), 1, 10, (i) => SECTIONS[i % 2]),
        limit: whole(1, 100),
        language: nullable(language(null)),
        mode: word(SEARCH_MODES),
        typo_tolerance: flag(),
        prefix: flag(),
        filter: object({ all: [] }, { field: 'language', any_of: ['de'] }),
        sort: object({ field: 'title' }, { field: 'created_at', order: 'desc' }),
        facets: list(object(), 0, 20, () => ({ field: 'language' })),
        excerpt: object({}, { length: 50 }, { length: 1_000 }),
        relevance: flag(),
        min_relevance: nullable(real(0, 1)),
        include_total: flag(),
        products: object({}, { limit: 100, fields: ['id'] }),
        knowledge: object({}, { limit: 100, fields: ['id'] }),
        visitor_id: text(1, 200),
      },
      good: { query: 'something' },
    },
    multiSearch: {
      body: { searches: list(object({ query: 'one', ...short }), 1, 20, (i) => ({ query: `${i}`, ...short })) },
      required: ['searches'],
      good: { searches: [{ query: 'something' }] },
    },
    logSearchClick: {
      body: {
        search_log_id: text(1, 100),
        action: text(1, 50),
        product_id: text(1, 200),
        section: text(1, 50),
        rank: whole(-2_147_483_648),
        score: number(),
        visitor_id: text(1, 200),
      },
      required: ['search_log_id', 'action', 'product_id', 'section'],
      good: { search_log_id: 'a search', action: 'click', product_id: 'a product', section: 'products' },
    },
    learnFromClicks: {},
    getLearnt: { query: { query: text(1, 200), site_id: siteNamed(200) }, needs: ['query'] },
    listLearntQueries: { query: { site_id: siteNamed(200), limit: whole(1, 100) } },
    getSearchAnalytics: {
      query: {
        from: moment('0000-01-01T00:00:00Z', '2026-02-28T23:59:59.999999999+23:59'),
        to: moment('0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'),
        site_id: id(world.site),
        section: text(1, 50),
        limit: whole(1, 100),
      },
    },
  }
}
