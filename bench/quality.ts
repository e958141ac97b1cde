/**
 * Measures the quality of search through the real service and its HTTP API. Imports two test collections, two
 * catalogues and a folder of pages, runs all their queries and compares the figures with the requirements. Exits with 1
 * on a miss.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureCollection } from './collection-run.ts'
import { MODELS, type ModelName } from './models.ts'
import { measureModels } from './models-quality.ts'
import { type ModelsReport, modelsText } from './models-quality-report.ts'
import { PAGES_FILE, readPages } from './pages-data.ts'
import { measurePages, type PagesReport, pagesText } from './pages-quality.ts'
import { measureShopQuality, type ShopQualityReport, shopQualityText } from './products-quality.ts'
import { readShops, SHOP_FILES } from './products-quality-data.ts'
import { type Collection, COLLECTIONS_FOLDER, readCollections } from './quality-data.ts'
import { type CollectionReport, judge, judgeOverAll, qualityText, type QualityReport } from './quality-report.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { startServiceProcess } from './support/service-process.ts'

const USAGE = `Usage: npm run bench:quality -- --data DIR [--runs DIR] [--only PART] [--models NAME,…] [--write]

  --data DIR   folder with the collections cranfield, xquad-de, icecat-catalog, openfoodfacts and k8s-docs
               (default: the variable COLLECTIONS)
  --only PART  entries, products or pages
  --models NAME,…  instead compare these models on entries and pages: ${Object.keys(MODELS).join(', ')}, or all
  --runs DIR   also write each ranking as query, document and score, separated by tabs
  --write      save the figures and renew docs/benchmarks.md
`
const LIMIT = 100
const ENTRY_FILES = ['cranfield/docs.jsonl', 'xquad-de/docs.jsonl']

const options = {
  data: { type: 'string', default: COLLECTIONS_FOLDER },
  runs: { type: 'string' },
  only: { type: 'string' },
  models: { type: 'string' },
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
  const models = values.models === undefined ? null : modelsOf(values.models)
  if (models !== null && models.length === 0) {
    process.stderr.write(`--models takes names among ${Object.keys(MODELS).join(', ')}, or all\n`)
    return 2
  }
  const missing = files.find((file) => !existsSync(join(folder, file)))
  if (missing !== undefined) {
    process.stderr.write(`${folder} does not hold ${missing}; name the folder of the collections with --data DIR\n`)
    return 2
  }
  if (models !== null) {
    const report = await compareModels(folder, models, values.runs ?? null, values.write)
    return report.requirements.every(({ met }) => met) ? 0 : 1
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

/** Returns the models of a list, in the order of `MODELS`; none if a name is unknown. */
function modelsOf(list: string): ModelName[] {
  const all = Object.keys(MODELS) as ModelName[]
  if (list === 'all') return all
  const names = list.split(',')
  return names.every((name) => Object.hasOwn(MODELS, name)) ? all.filter((name) => names.includes(name)) : []
}

async function compareModels(
  folder: string,
  models: readonly ModelName[],
  runs: string | null,
  write: boolean,
): Promise<ModelsReport> {
  const report = await measureModels(folder, models, runWriter(runs))
  console.log(modelsText(report))
  if (write) {
    saveReport('models-quality', report)
    writeDocument()
  }
  return report
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
    for (const collection of collections) {
      reports.push(await measureCollection(service, collection, runWriter(runsFolder)))
    }
    return { machine: machineFacts(), collections: reports, requirements: judge(reports) }
  } finally {
    await service.stop()
  }
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
