import type { Question } from './answers.ts'
import { COMMON_WORD, ENTRIES, type Realm } from './world.ts'

const ENTRY_QUESTIONS = {
  facets: [
    ...['type', 'visibility', 'layer', 'tags', 'project_id', 'site_id', 'metadata.subject'].map((field) => ({ field })),
    { field: 'category_id', hierarchy: true },
    { field: 'created_at' },
  ],
  filter: {
    any: [
      { field: 'visibility', any_of: ['public', 'internal'] },
      { field: 'layer', exists: false },
    ],
  },
  fields: ['id', 'title'],
  sort: { field: 'title' },
}
/**
 * Questions about entries that a publishable key may ask; its visitors learn nothing of metadata, projects and other
 * sites.
 */
const PUBLIC_QUESTIONS = {
  facets: [
    ...['type', 'layer', 'tags', 'language'].map((field) => ({ field })),
    { field: 'category_id', hierarchy: true },
    { field: 'created_at' },
  ],
  filter: { not: { field: 'layer', any_of: ['nobody'] } },
  sort: { field: 'title' },
}
const PRODUCT_QUESTIONS = {
  facets: [
    { field: 'brand' },
    { field: 'attributes.Farbe' },
    { field: 'category', hierarchy: true },
    { field: 'price' },
  ],
  filter: { not: { field: 'brand', any_of: ['nobody'] } },
  sort: { field: 'price', order: 'desc' },
}

const CODINGS = { 'accept-encoding': 'zstd, br, gzip' }

/**
 * Returns all questions that a reader can ask about a realm: lists, counts, single entries with their details,
 * explained searches.
 */
export function probesOf({ ids, group }: Realm): Question[] {
  const get = (path: string): Question => ({ method: 'GET', path: `/api/knowledge/${path}` })
  const post = (path: string, body: object): Question => ({ method: 'POST', path: `/api/knowledge/${path}`, body })
  const search = (body: object): Question => ({
    method: 'POST',
    path: `${ENTRIES}/search`,
    body: { query: `${COMMON_WORD} mehr Text auf der Insel`, explain: true, limit: 100, ...body },
  })
  const lists = [
    '',
    'limit=2&',
    `project_id=${ids.project_id}&`,
    `category_id=${ids.category_id}&`,
    'tag=insel&',
    'include_category_path=true&',
    `site_id=${ids.site_id}&`,
    'source=manual&source_reference=quelle/public&',
  ]
  return [
    ...lists.map((query) => get(`knowledge-entries?${query}include_total=true`)),
    ...['', '?include_category_path=true', '/versions', '/versions/1', '/translations', '/related?limit=100'].map(
      (tail) => get(`knowledge-entries/${ids.entry_id}${tail}`),
    ),
    ...['bin', 'bin?limit=2'].map(get),
    get('knowledge-entries/by-source?source_reference=quelle/public'),
    ...['categories', 'categories/counts', 'projects', 'workspaces', 'sites', `sites/${ids.site_id}`].map(get),
    ...['', `/${ids.rule_id}`].map((tail) => get(`sites/${ids.site_id}/merchandising${tail}`)),
    get(`sites/${ids.site_id}/sync-runs`),
    ...['', `/${ids.set_id}`, `/${ids.set_id}/queries`, `/${ids.set_id}/runs`, `/${ids.set_id}/runs/${ids.run_id}`].map(
      (tail) => get(`judged-sets${tail}`),
    ),
    get('search-vocabulary'),
    ...['audit-records?resource_type=category', 'tenant-settings', 'sign-in-rules', 'sign-in-provider'].map(get),
    post(`sites/${ids.site_id}/merchandising/preview`, {
      query: COMMON_WORD,
      rules: [{ name: 'Regel', action: 'bury', brands: ['Insel'] }],
      synonyms: [{ words: [COMMON_WORD, 'Holz'] }],
    }),
    ...['', '?limit=2'].map((query) => get(`sites/${ids.site_id}/knowledge${query}`)),
    ...['', '&brand=Insel', '&external_id=holz', '&limit=1', `&parent_product_id=${ids.product_id}`].map((query) =>
      get(`products?site_id=laden&include_total=true${query}`),
    ),
    get(`products/${ids.product_id}`),
    get(`products/${ids.product_id}/similar`),
    ...['', '&site_id=laden'].flatMap((query) =>
      ['Leucht', 'Leuchtturn', 'Leuchtturm aus Ho'].flatMap((typed) => [
        get(`suggest?q=${typed}&limit=20${query}`),
        get(`suggest?q=${typed}&limit=20&section=products&section=knowledge${query}`),
      ]),
    ),
    ...['', COMMON_WORD].map((query) =>
      post('products/browse', { query, facets: [{ field: 'brand' }, { field: 'category', hierarchy: true }] }),
    ),
    ...['', COMMON_WORD, 'holz'].map((query) => post('products/search', { query, explain: true })),
    ...(['semantic', 'keyword', 'hybrid'] as const).flatMap((mode) => [
      post('products/search', { query: `${COMMON_WORD} Holz rto`, mode, explain: true, site_id: 'laden' }),
      post('products/search', { query: `${COMMON_WORD} Holz`, mode, min_relevance: 0.2 }),
      post('search', { query: 'Leuchtturn Ho', mode, typo_tolerance: true, prefix: true }),
      post('products/search', { query: COMMON_WORD, mode, fields: ['id', 'title'], excerpt: {} }),
      post('search', { query: COMMON_WORD, mode }),
      post('search', { query: COMMON_WORD, mode, knowledge: ENTRY_QUESTIONS, products: PRODUCT_QUESTIONS }),
      post('search', { query: COMMON_WORD, mode, knowledge: PUBLIC_QUESTIONS }),
      post('multi-search', {
        searches: [
          { query: COMMON_WORD, mode, sections: ['knowledge'], include_total: true },
          { query: 'Holz', mode, products: PRODUCT_QUESTIONS, excerpt: {} },
        ],
      }),
    ]),
    ...(['semantic', 'keyword', 'hybrid'] as const).flatMap((mode) => [
      search({ mode }),
      search({ mode, limit: 3, offset: 2 }),
      search({ mode, query: 'Leuchtturn Ins', typo_tolerance: true, prefix: true }),
      search({ mode, sort: { field: 'title', order: 'desc' } }),
      search({
        mode,
        filter: {
          any: [
            { field: 'tags', any_of: ['insel'] },
            { field: 'layer', exists: true },
          ],
        },
      }),
      search({ mode, explain: false, fields: ['id', 'title', 'updated_at'], excerpt: { length: 100 } }),
      search({ mode, project_id: ids.project_id }),
      search({ mode, site_id: ids.site_id }),
      search({ mode, category_id: ids.category_id, tags: ['insel'] }),
      search({ mode, group_translations: true }),
      search({ mode, include_category_path: true }),
      search({ mode, relevance: true, min_relevance: 0.3 }),
      search({ mode, min_similarity: 0.3, query: `translation ${group}` }),
    ]),
    // Compressed, strictly, and with a field that nothing reads.
    ...[
      get('knowledge-entries?include_total=true&nobody_reads_this=1'),
      search({ nobody_reads_this: COMMON_WORD }),
      post('search', { query: COMMON_WORD, nobody_reads_this: COMMON_WORD }),
    ].flatMap((question) => [
      { ...question, headers: CODINGS },
      { ...question, headers: { ...CODINGS, prefer: 'handling=strict' } },
    ]),
    { ...search({}), headers: { ...CODINGS, prefer: 'handling=strict' } },
  ]
}
