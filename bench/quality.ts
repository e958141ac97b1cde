/**
 * Measures the quality of search through the real service and its HTTP API. Imports two test collections, two
 * catalogues and a folder of pages, runs all their queries and compares the figures with the requirements. Exits with 1
 * on a miss.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { SearchMode } from '../src/search/engine.ts'
import { PAGES_FILE, readPages } from './pages-data.ts'
import { measurePages, type PagesReport, pagesText } from './pages-quality.ts'
import { measureShopQuality, type ShopQualityReport, shopQualityText } from './products-quality.ts'
import { readShops, SHOP_FILES } from './products-quality-data.ts'
import { type Collection, COLLECTIONS_FOLDER, readCollections } from './quality-data.ts'
import { scoreRun } from './quality-metrics.ts'
import { type CollectionReport, judge, judgeOverAll, qualityText, type QualityReport } from './quality-report.ts'
import { ApiClient } from './support/api-client.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

const USAGE = `Usage: npm run bench:quality -- --data DIR [--runs DIR] [--only PART] [--write]

  --data DIR   folder with the collections cranfield, xquad-de, icecat-catalog, openfoodfacts and k8s-docs
               (default: the variable COLLECTIONS)
  --only PART  entries, products or pages
  --runs DIR   also write each ranking as query, document and score, separated by tabs
  --write      save the figures and renew docs/benchmarks.md
`
const MODES: readonly SearchMode[] = ['keyword', 'semantic', 'hybrid']
const LIMIT = 100
const ENTRY_FILES = ['cranfield/docs.jsonl', 'xquad-de/docs.jsonl']
/** Replaces an empty title or text of the collection, which an entry must not have. It contains no word. */
const NOTHING = '-'

const options = {
  data: { type: 'string', default: COLLECTIONS_FOLDER },
  runs: { type: 'string' },
  only: { type: 'string' },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({ options })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  if (values.data === undefined) {
    process.stderr.write('Name the folder of the collections with --data DIR or the variable COLLECTIONS\n')
    return 2
  }
  const folder = resolve(values.data)
  const wants = (part: string): boolean => values.only === undefined || values.only === part
  const files = [
    ...(wants('entries') ? ENTRY_FILES : []),
    ...(wants('products') ? SHOP_FILES : []),
    ...(wants('pages') ? [PAGES_FILE] : []),
  ]
  const missing = files.find((file) => !existsSync(join(folder, file)))
  if (missing !== undefined) {
    process.stderr.write(`${folder} does not hold ${missing}; name the folder of the collections with --data DIR\n`)
    return 2
  }
  const entries = wants('entries') ? await measureEntries(folder, values.runs ?? null, values.write) : null
  const reports = [
    ...(entries === null ? [] : [entries]),
    ...(wants('products') ? [await measureShops(folder, values.runs ?? null, values.write)] : []),
    ...(wants('pages') ? [await measureMarkdown(folder, values.runs ?? null, values.write, entries)] : []),
  ]
  if (values.write) writeDocument()
  return reports.every(({ requirements }) => requirements.every(({ met }) => met)) ? 0 : 1
}

async function measureEntries(folder: string, runs: string | null, write: boolean): Promise<QualityReport> {
  const report = await measure(readCollections(folder), runs)
  console.log(qualityText(report))
  if (write) saveReport('quality', report)
  return report
}

async function measureShops(folder: string, runs: string | null, write: boolean): Promise<ShopQualityReport> {
  const report = await measureShopQuality(readShops(folder), runWriter(runs))
  console.log(shopQualityText(report))
  if (write) saveReport('products-quality', report)
  return report
}

/**
 * Measures search over Markdown pages.
 * @param entries the report of the test collections, if they were measured too
 */
async function measureMarkdown(
  folder: string,
  runs: string | null,
  write: boolean,
  entries: QualityReport | null,
): Promise<PagesReport> {
  const measured = await measurePages(readPages(folder), runWriter(runs))
  const overAll =
    entries === null
      ? []
      : [
          judgeOverAll(
            entries.collections,
            measured.mixed.map(({ mrr10 }) => mrr10),
          ),
        ]
  const report = { ...measured, requirements: [...measured.requirements, ...overAll] }
  console.log(pagesText(report))
  if (write) saveReport('pages-quality', report)
  return report
}

async function measure(collections: readonly Collection[], runsFolder: string | null): Promise<QualityReport> {
  const service = await startServiceProcess()
  try {
    const reports: CollectionReport[] = []
    for (const collection of collections) reports.push(await measureCollection(service, collection, runsFolder))
    return { machine: machineFacts(), collections: reports, requirements: judge(reports) }
  } finally {
    await service.stop()
  }
}

async function measureCollection(
  service: ServiceProcess,
  collection: Collection,
  runsFolder: string | null,
): Promise<CollectionReport> {
  const { key } = await service.tenant(collection.name)
  const api = new ApiClient(service.url, key)
  try {
    const category = await api.category(collection.name)
    const ids = await api.importEntries(
      collection.documents.map(({ title, text }) => ({
        title: title || NOTHING,
        content: text || NOTHING,
        category_id: category,
        language: collection.language,
      })),
    )
    await api.embedded()
    const documentOf = new Map(ids.map((id, i) => [id, collection.documents[i].id]))
    const modes = {} as CollectionReport['modes']
    for (const mode of MODES) {
      const run = await runQueries(api, collection, documentOf, mode)
      if (runsFolder !== null) writeRun(runsFolder, `${collection.name}-${mode}.tsv`, run)
      modes[mode] = scoreRun(collection.judgments, run)
    }
    const { name, language, baseline } = collection
    return { name, language, baseline, documents: ids.length, modes }
  } finally {
    await api.close()
  }
}

async function runQueries(
  api: ApiClient,
  collection: Collection,
  documentOf: ReadonlyMap<string, string>,
  mode: SearchMode,
): Promise<Map<string, string[]>> {
  const run = new Map<string, string[]>()
  for (const { id, text } of collection.queries) {
    const body = { query: text, mode, limit: LIMIT }
    const hits = await api.call<{ entry: { id: string } }[]>('POST', '/knowledge-entries/search', body)
    run.set(
      id,
      hits.map((hit) => documentOf.get(hit.entry.id)!),
    )
  }
  return run
}

function runWriter(folder: string | null) {
  return (name: string, run: ReadonlyMap<string, readonly string[]>): void => {
    if (folder !== null) writeRun(folder, `${name}.tsv`, run)
  }
}

function writeRun(folder: string, name: string, run: ReadonlyMap<string, readonly string[]>): void {
  const lines = [...run].flatMap(([query, ids]) => ids.map((id, i) => `${query}\t${id}\t${LIMIT - i}\n`))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), lines.join(''))
}
