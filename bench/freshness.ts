/**
 * Measures what searches feel while much is written: beside full feeds of a shop, beside new prices of all products
 * (compared with brute force), beside the first import of many pages, and of a caller that names its own write. On
 * SQLite and on a PostgreSQL that this command starts. Exits with 1 when a requirement is missed.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../test/support/postgres.ts'
import { administer, urlOf } from '../test/support/template.ts'
import { measurePlace, type Place, type Sizes } from './freshness/measure-place.ts'
import { CATALOGUE_FILE } from './freshness/products.ts'
import {
  type FreshnessFigures,
  type FreshnessReport,
  freshnessText,
  judgeFreshness,
  SCENARIOS,
  type ScenarioName,
  withEarlier,
} from './freshness/report.ts'
import { PAGES_FILE } from './pages-data.ts'
import { COLLECTIONS_FOLDER } from './quality-data.ts'
import { readReport, saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { PROGRAM } from './support/service-process.ts'

const USAGE = `Usage: npm run bench:freshness -- [options]

  --data DIR        folder with the collections icecat-catalog and k8s-docs (default: the variable COLLECTIONS);
                    without them, products are made up and pages are left out
  --database NAME   measure only sqlite or only postgres
  --only NAME,…     measure only some of ${SCENARIOS.join(', ')}
  --against FOLDER  measure another checkout of the program in turns with this one
  --rounds N        measure everything so many times (1)
  --small           take little data, to see whether everything runs; not with --write
  --write           save the figures and update docs/benchmarks.md; what is not measured keeps its last figures
`

/** Settings of each service. It logs its own problems only: in some versions thousands of searches are slow. */
const SETTINGS = { LOG_LEVEL: 'error' }

const SIZES: Sizes = { products: 52_000, pages: [1_400, 20_000], aloneMs: 20_000, checks: 1_000, ownWrites: 500 }
const SMALL: Sizes = { products: 3_000, pages: [100, 400], aloneMs: 3_000, checks: 30, ownWrites: 30 }

// Setting `exitCode` is not enough: stopping the embedded PostgreSQL with this process sets its own.
process.exit(await main())

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string', default: COLLECTIONS_FOLDER },
      database: { type: 'string' },
      only: { type: 'string', default: SCENARIOS.join(',') },
      against: { type: 'string' },
      rounds: { type: 'string', default: '1' },
      small: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const only = new Set(values.only.split(',') as ScenarioName[])
  const isDatabase = values.database === undefined || ['sqlite', 'postgres'].includes(values.database)
  const isSmallSaved = values.write && values.small
  if (values.help || !isDatabase || isSmallSaved || [...only].some((name) => !SCENARIOS.includes(name))) {
    process.stdout.write(USAGE)
    return values.help ? 0 : 2
  }
  const hasFile = (file: string): boolean => values.data !== undefined && existsSync(join(values.data, file))
  const catalogueFolder = hasFile(CATALOGUE_FILE) ? values.data! : null
  const pagesFolder = hasFile(PAGES_FILE) ? values.data! : null
  if (catalogueFolder === null)
    say(`There is no ${CATALOGUE_FILE}, so products are made up; name its folder with --data`)
  if (pagesFolder === null && only.has('pages'))
    say(`There is no ${PAGES_FILE}, so pages are left out; name its folder with --data`)
  const sizes = values.small ? SMALL : SIZES
  const earlier = readReport('freshness') as FreshnessReport | null
  const figures: FreshnessFigures = { feeds: [], prices: [], unchanged: [], pages: [], own: [] }
  const reportNow = (): FreshnessReport => ({
    machine: machineFacts(),
    judged: 'this',
    products: sizes.products,
    catalogue: catalogueFolder === null ? 'made up' : 'of a real catalogue, with variations',
    ...figures,
  })
  const measure = async (place: Place): Promise<void> => {
    await measurePlace(place, { only, sizes, catalogueFolder, pagesFolder, say }, figures)
    if (!values.write) return
    // Saved after each place, so that an interrupted run does not lose its figures.
    saveReport('freshness', withEarlier(reportNow(), earlier))
    writeDocument()
  }
  const before = values.against === undefined ? [] : [{ version: 'before', program: resolve(values.against) }]
  const versions = [...before, { version: 'this', program: PROGRAM }]
  for (let round = 1; round <= Number(values.rounds); round++) {
    if (values.database !== 'postgres') {
      for (const each of versions)
        await measure({ ...each, database: 'SQLite', round, newDatabase: () => Promise.resolve(SETTINGS) })
    }
    if (values.database !== 'sqlite') {
      await onPostgres(async (newDatabase) => {
        for (const each of versions) await measure({ ...each, database: 'PostgreSQL', round, newDatabase })
      })
    }
  }
  const report = reportNow()
  console.log(freshnessText(report))
  return judgeFreshness(report).every(({ met }) => met) ? 0 : 1
}

/** Runs with a PostgreSQL; `newDatabase` gives settings for an empty database of it, and drops the one before. */
async function onPostgres(run: (newDatabase: Place['newDatabase']) => Promise<void>): Promise<void> {
  const server = await startPostgres({ isDurable: true })
  let count = 0
  try {
    await run(async () => {
      if (count > 0) await administer(server.url, `drop database if exists bench_${count} with (force)`)
      count++
      await administer(server.url, `create database bench_${count}`)
      return { ...SETTINGS, DATABASE_URL: urlOf(server.url, `bench_${count}`) }
    })
  } finally {
    await server.stop()
  }
}

/** Prints progress to standard error, so that it does not mix with the report. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
