/**
 * Measures what answers cost: a list of ten hits with excerpts and chosen fields against ten whole entries, and facets
 * over attributes of 50,000 products against a search without. Processor time is that of the whole service. Exits with 1
 * if excerpts or facets cost too much. `--write` updates docs/benchmarks.md.
 *
 * npm run bench:answers -- --data FOLDER [--write]
 */
import { parseArgs } from 'node:util'
import { type AnswersReport, answersText, judgeAnswers } from './answers-report.ts'
import { readPages } from './pages-data.ts'
import { COLLECTIONS_FOLDER } from './quality-data.ts'
import { ApiClient } from './support/api-client.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { madeUpProducts } from './support/made-up-products.ts'
import { cpuSeconds } from './support/process-figures.ts'
import { startServiceProcess } from './support/service-process.ts'

const ROUNDS = 5
const SEARCHES = 300
const WARM_UP = 100
const PRODUCTS = 50_000
const COLOURS = [
  'red',
  'blue',
  'green',
  'black',
  'white',
  'yellow',
  'brown',
  'grey',
  'orange',
  'pink',
  'gold',
  'silver',
]

const { values } = parseArgs({
  options: { data: { type: 'string', default: COLLECTIONS_FOLDER }, write: { type: 'boolean', default: false } },
})
if (values.data === undefined) throw new Error('--data or the variable COLLECTIONS names the folder of collections')
const service = await startServiceProcess()

interface Scenario {
  readonly name: string
  readonly path: string
  readonly body: (query: string) => object
}

/** Runs the scenarios in turn, so that what else the machine does falls on all of them alike. */
async function measure(
  client: ApiClient,
  scenarios: readonly Scenario[],
  queries: readonly string[],
): Promise<AnswersReport['groups'][number]> {
  const spent = scenarios.map(() => 0)
  const bytes = scenarios.map(() => 0)
  const run = async (scenario: Scenario, count: number): Promise<number> => {
    let size = 0
    for (let i = 0; i < count; i++) {
      const answer = await client.call<unknown>('POST', scenario.path, scenario.body(queries[i % queries.length]))
      size += Buffer.byteLength(JSON.stringify(answer))
    }
    return size / count
  }
  for (const scenario of scenarios) await run(scenario, WARM_UP)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, scenario] of scenarios.entries()) {
      const before = cpuSeconds(service.pid)
      bytes[i] = await run(scenario, SEARCHES)
      spent[i] += cpuSeconds(service.pid) - before
    }
  }
  return scenarios.map(({ name }, i) => ({
    name,
    bytes: Math.round(bytes[i]),
    cpuMs: (spent[i] / (ROUNDS * SEARCHES)) * 1_000,
  }))
}

async function entries(folder: string): Promise<AnswersReport['groups']> {
  const { key } = await service.tenant('pages')
  const client = new ApiClient(service.url, key)
  const category_id = await client.category('Pages')
  const pages = readPages(folder)
  await client.importEntries(
    pages.map(({ title, text, language }) => ({
      title: title.slice(0, 500),
      content: text || title,
      language,
      category_id,
    })),
  )
  const path = '/knowledge-entries/search'
  const fields = ['id', 'title', 'category_id', 'updated_at']
  const groups: AnswersReport['groups'][number][] = []
  for (const mode of ['hybrid', 'keyword']) {
    const group = await measure(
      client,
      [
        { name: `${mode}, whole entries`, path, body: (query) => ({ query, mode }) },
        { name: `${mode}, fields`, path, body: (query) => ({ query, mode, fields }) },
        { name: `${mode}, excerpts and fields`, path, body: (query) => ({ query, mode, fields, excerpt: {} }) },
      ],
      pages.map(({ title }) => title.slice(0, 200)),
    )
    groups.push(group)
  }
  return groups
}

async function products(): Promise<AnswersReport['groups'][number]> {
  const { key } = await service.tenant('shop')
  const client = new ApiClient(service.url, key)
  await client.call('POST', '/sites', { name: 'Shop', slug: 'shop' })
  const made = madeUpProducts(PRODUCTS)
  await client.importProducts(
    'shop',
    made.map((product, i) => ({
      ...product,
      attributes: { colour: COLOURS[i % 12], size: ['S', 'M', 'L', 'XL'][i % 4], weight: (i * 7) % 1_000 },
    })),
  )
  await client.embedded()
  const path = '/search'
  const search = (query: string, options: object) => ({ query, sections: ['products'], products: options })
  const facets = ['attributes.colour', 'attributes.size', 'brand'].map((field) => ({ field }))
  const weights = { field: 'attributes.weight', ranges: [{ to: 100 }, { from: 100, to: 500 }, { from: 500 }] }
  const filter = { field: 'attributes.colour', any_of: ['red', 'blue'] }
  return measure(
    client,
    [
      { name: 'products', path, body: (query) => search(query, {}) },
      { name: 'facets over attributes', path, body: (query) => search(query, { facets: [...facets, weights] }) },
      { name: 'filter by an attribute', path, body: (query) => search(query, { filter }) },
      { name: 'filter and facets, disjunctive', path, body: (query) => search(query, { filter, facets }) },
      { name: 'sorted by price', path, body: (query) => search(query, { sort: { field: 'price' } }) },
      { name: 'sorted by title', path, body: (query) => search(query, { sort: { field: 'title' } }) },
    ],
    made.slice(0, 200).map(({ title }) => String(title).split(' ').slice(0, 2).join(' ')),
  )
}

const groups = [...(await entries(values.data)), await products()]
await service.stop()
const report: AnswersReport = {
  machine: machineFacts(),
  products: PRODUCTS,
  searches: ROUNDS * SEARCHES,
  groups,
  requirements: judgeAnswers(groups),
}
process.stdout.write(`${answersText(report)}\n`)
if (values.write) {
  saveReport('answers', report)
  writeDocument()
}
process.exit(report.requirements.every(({ met }) => met) ? 0 : 1)
