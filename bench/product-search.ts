/**
 * Measures how fast product search is compared with entry search: the same number of products and entries with the same
 * words, answers of ten, one service with the built-in model, the same load. Exits with 1 if product search costs more
 * than twice as much.
 */
import { parseArgs } from 'node:util'
import { judgeProductSearch, type ProductSearchReport, productSearchText } from './product-search-report.ts'
import { type LoadFigures, measureLoad, medianOf, type Target } from './search-scenarios.ts'
import { ApiClient } from './support/api-client.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { LoadProcess } from './support/load.ts'
import { machineFacts } from './support/machine.ts'
import { madeUpProducts } from './support/made-up-products.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
})
const CONNECTIONS = 16
const LOAD = { warmUpMs: 1_000, measureMs: 3_000 }
const PER_IMPORT = 1_000
const SUGGESTIONS = 300

const products = madeUpProducts(Number(values.products))
const queries = products.slice(0, 500).map(({ title }) => (title as string).split(' ').slice(0, 3).join(' '))
const service = await startServiceProcess()
const load = new LoadProcess()
try {
  const shop = await fill(service, 'shop')
  const rows = await measure(shop)
  const suggestMs = await suggest(shop)
  const requirements = judgeProductSearch(rows, suggestMs)
  const report: ProductSearchReport = {
    machine: machineFacts(),
    products: products.length,
    rows,
    suggestMs,
    requirements,
  }
  console.log(productSearchText(report))
  if (values.write) {
    saveReport('product-search', report)
    writeDocument()
  }
  if (requirements.some(({ met }) => !met)) process.exitCode = 1
} finally {
  await load.close()
  await service.stop()
}

interface Shop {
  readonly key: string
  readonly api: ApiClient
  readonly category: string
}

async function fill(at: ServiceProcess, tenant: string): Promise<Shop> {
  const { key } = await at.tenant(tenant)
  const api = new ApiClient(at.url, key)
  const [category, other] = [await api.category('A'), await api.category('B')]
  for (let from = 0; from < products.length; from += PER_IMPORT) {
    const some = products.slice(from, from + PER_IMPORT)
    await api.importProducts('default', some)
    await api.importEntries(
      some.map(({ title, description, properties, brand, category: kind, language }) => ({
        title,
        content: [
          description,
          ...Object.entries(properties as object).map(([name, value]) => `${name}: ${value}`),
        ].join('\n'),
        search_keywords: [brand, kind],
        language,
        // Half of the entries, like the product filter.
        category_id: (brand as string) < 'm' ? category : other,
      })),
    )
  }
  await api.call('POST', '/products/search', { query: queries[0] })
  await api.call('POST', '/knowledge-entries/search', { query: queries[0] })
  return { key, api, category }
}

/** Measures entry search, product search by default, and product search with facets and filters, in turn. */
async function measure({ key, category }: Shop): Promise<ProductSearchReport['rows']> {
  const entries = '/api/knowledge/knowledge-entries/search'
  const search = '/api/knowledge/products/search'
  const scenarios = [
    { what: 'entries', path: entries, body: {} },
    { what: 'products, no facets', path: search, body: { facets: false } },
    { what: 'products, facets', path: search, body: {} },
    { what: 'entries, filter', path: entries, body: { category_id: category } },
    { what: 'products, filter, facets', path: search, body: { price_min: 500, availability: null } },
  ]
  const figures = scenarios.map((): LoadFigures[] => [])
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [i, { path, body }] of scenarios.entries()) {
      const target: Target = { url: service.url, path, pid: service.pid, headers }
      const bodies = queries.map((query) => JSON.stringify({ query, mode: 'hybrid', limit: 10, ...body }))
      figures[i].push(await measureLoad(load, target, bodies, CONNECTIONS, LOAD))
    }
  }
  return scenarios.map(({ what }, i) => ({ what, connections: CONNECTIONS, figures: medianOf(figures[i]) }))
}

/**
 * Returns the median milliseconds of a suggestion, measured one at a time, for words typed letter by letter up to six
 * letters.
 */
async function suggest({ api }: Shop): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < SUGGESTIONS; i++) {
    const query = queries[i % queries.length]
    const typed = query.slice(0, query.lastIndexOf(' ') + 2 + (i % 6))
    const began = performance.now()
    await api.call('GET', `/suggest?q=${encodeURIComponent(typed)}`)
    times.push(performance.now() - began)
  }
  await api.close()
  return times.sort((a, b) => a - b)[times.length >> 1]
}
