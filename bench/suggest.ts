/**
 * Measures what suggestions cost beside a search: one service with the built-in model and 50,000 products. People type
 * the first words of titles key by key, and then search for them; both are measured in turns. `--file FILE.jsonl[.gz]`
 * takes your own catalogue, varied until there are enough products; without it, products are made up from the built-in
 * model's vocabulary. Exits with 1 if suggestions take too long or cost too much. `--write` updates docs/benchmarks.md.
 */
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { type LoadFigures, measureLoad, medianOf, type Target } from './search-scenarios.ts'
import { judgeSuggestions, type SuggestReport, suggestText } from './suggest-report.ts'
import { ApiClient } from './support/api-client.ts'
import { catalogue } from './support/catalogue.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { LoadProcess } from './support/load.ts'
import { machineFacts } from './support/machine.ts'
import { madeUpProducts } from './support/made-up-products.ts'
import { startServiceProcess } from './support/service-process.ts'

const { values } = parseArgs({
  options: {
    products: { type: 'string', default: '50000' },
    file: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean', default: false },
  },
})
const LOAD = { warmUpMs: 1_000, measureMs: 4_000 }
const PER_IMPORT = 1_000
const CONNECTIONS = [1, 16] as const
const WORDS = 3
/** Titles that are typed; each key is a request. */
const TITLES = 1_500
const SUGGEST = '/api/knowledge/suggest?q='
const SEARCH = '/api/knowledge/products/search'

const count = Number(values.products)
const products = shopOf(count)
const queries = spread(products, TITLES).map(({ title }) => String(title).split(' ').slice(0, WORDS).join(' '))
const keys = queries.flatMap((query) => Array.from(query, (_, i) => query.slice(0, i + 1)))
const service = await startServiceProcess()
const load = new LoadProcess()
try {
  const { key } = await service.tenant('shop')
  const api = new ApiClient(service.url, key)
  for (let from = 0; from < count; from += PER_IMPORT) {
    await api.importProducts('default', products.slice(from, from + PER_IMPORT))
  }
  await api.embedded()
  await api.call('POST', '/products/search', { query: queries[0] })
  await api.close()
  const rows = await measure({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
  const report: SuggestReport = {
    machine: machineFacts(),
    catalogue: values.file === undefined ? null : basename(values.file),
    products: count,
    keys: keys.length,
    rows,
    requirements: judgeSuggestions(rows),
  }
  console.log(suggestText(report))
  if (values.write) {
    saveReport('suggest', report)
    writeDocument()
  }
  if (report.requirements.some(({ met }) => !met)) process.exitCode = 1
} finally {
  await load.close()
  await service.stop()
}

/** Measures suggestions and searches in turns, with each number of connections, after a round that does not count. */
async function measure(headers: Target['headers']): Promise<SuggestReport['rows']> {
  const { url, pid } = service
  const bodies = queries.map((query) => JSON.stringify({ query }))
  const paths = keys.map((text) => SUGGEST + encodeURIComponent(text))
  const kinds = [
    { what: 'search' as const, target: { url, path: SEARCH, pid, headers } },
    { what: 'suggestions' as const, target: { url, path: SUGGEST, paths, pid, headers } },
  ]
  const scenarios = CONNECTIONS.flatMap((connections) => kinds.map((kind) => ({ ...kind, connections })))
  const figures = scenarios.map((): LoadFigures[] => [])
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [i, { target, connections }] of scenarios.entries()) {
      const measured = await measureLoad(load, target, bodies, connections, LOAD)
      if (round > 0) figures[i].push(measured)
    }
  }
  return scenarios.map(({ what, connections }, i) => ({ what, connections, figures: medianOf(figures[i]) }))
}

/** Enough products, each with an own name and number. */
function shopOf(wanted: number): Record<string, unknown>[] {
  if (values.file === undefined) return madeUpProducts(wanted)
  const own = catalogue(values.file)
  return Array.from({ length: wanted }, (_, i) => {
    const product = own[i % own.length]
    const round = Math.floor(i / own.length)
    if (round === 0) return product
    return {
      ...product,
      external_id: `${String(product.external_id)}-${round}`,
      title: `${String(product.title)} ${round}`,
    }
  })
}

/** Some of the items, evenly spread. */
function spread<T>(items: readonly T[], some: number): T[] {
  const step = Math.max(1, Math.floor(items.length / some))
  return items.filter((_, i) => i % step === 0).slice(0, some)
}
