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
import { FEEDS, type FeedName, measureFeed } from './freshness/feeds.ts'
import { measureOwnWrites } from './freshness/own-writes.ts'
import { measurePages } from './freshness/pages.ts'
import { measurePrices, measureUnchanged } from './freshness/prices.ts'
import { CATALOGUE_FILE, ShopCatalogue } from './freshness/products.ts'
import {
  type FreshnessReport,
  freshnessText,
  judgeFreshness,
  SCENARIOS,
  type ScenarioName,
} from './freshness/report.ts'
import { Shop } from './freshness/shop.ts'
import { PAGES_FILE } from './pages-data.ts'
import { COLLECTIONS_FOLDER } from './quality-data.ts'
import { saveReport, writeDocument } from './support/document.ts'
import { machineFacts } from './support/machine.ts'
import { PROGRAM } from './support/service-process.ts'

const USAGE = `Usage: npm run bench:freshness -- [options]

  --data DIR        folder with the collections icecat-catalog and k8s-docs (default: the variable COLLECTIONS);
                    without them, products are made up and pages are left out
  --database NAME   measure only sqlite or only postgres
  --only NAME,…     measure only some of ${SCENARIOS.join(', ')}
  --against FOLDER  measure another checkout of the program in turns with this one
  --rounds N        measure everything so many times (1)
  --small           take little data, to see whether everything runs
  --write           save the figures and update docs/benchmarks.md
`

/** Settings of each service. It logs its own problems only: in some versions thousands of searches are slow. */
const SETTINGS = { LOG_LEVEL: 'error' }

/** Amounts of data and time. */
const SIZES = { products: 52_000, pages: [1_400, 20_000], aloneMs: 20_000, checks: 1_000, ownWrites: 500 }
const SMALL: typeof SIZES = { products: 3_000, pages: [100, 400], aloneMs: 3_000, checks: 100, ownWrites: 30 }

// Setting `exitCode` is not enough: stopping the embedded PostgreSQL with this process sets its own.
process.exit(await main())

/** A state of the program on a database. */
interface Place {
  readonly version: string
  readonly program: string
  readonly database: string
  readonly round: number
  /** Returns the settings of a service with an empty database. */
  readonly newDatabase: () => Promise<Readonly<Record<string, string>>>
}

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
  if (values.help || !isDatabase || [...only].some((name) => !SCENARIOS.includes(name))) {
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
  const report = {
    machine: machineFacts(),
    judged: 'this',
    products: sizes.products,
    catalogue: catalogueFolder === null ? 'made up' : 'of a real catalogue, with variations',
    feeds: [] as FreshnessReport['feeds'][number][],
    prices: [] as FreshnessReport['prices'][number][],
    unchanged: [] as FreshnessReport['unchanged'][number][],
    pages: [] as FreshnessReport['pages'][number][],
    own: [] as FreshnessReport['own'][number][],
  } satisfies FreshnessReport
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
  const whole: FreshnessReport = { ...report, machine: machineFacts() }
  console.log(freshnessText(whole))
  if (values.write) {
    saveReport('freshness', whole)
    writeDocument()
  }
  return judgeFreshness(whole).every(({ met }) => met) ? 0 : 1

  async function measure({ newDatabase, program, ...run }: Place): Promise<void> {
    const tell = (what: string, figures: object): void =>
      say(`${run.database}, ${run.version}, ${what}: ${JSON.stringify(figures)}`)
    if (['feed', 'all', 'prices', 'own'].some((name) => only.has(name as ScenarioName))) {
      const catalogue = new ShopCatalogue(catalogueFolder, sizes.products)
      const began = performance.now()
      const shop = await Shop.open(await newDatabase(), program, catalogue)
      try {
        say(`${run.database}, ${run.version}: shop filled in ${Math.round((performance.now() - began) / 1_000)} s`)
        for (const name of Object.keys(FEEDS) as FeedName[]) {
          if (!only.has(name)) continue
          const figures = await measureFeed(shop, name, sizes.aloneMs)
          report.feeds.push({ ...run, ...figures })
          tell(name, figures)
        }
        if (only.has('prices')) {
          for (const figures of await measurePrices(shop, sizes.checks)) {
            report.prices.push({ ...run, ...figures })
            tell('prices', figures)
          }
          const unchanged = await measureUnchanged(shop)
          report.unchanged.push({ ...run, ...unchanged })
          tell('unchanged', unchanged)
        }
        if (only.has('own')) {
          const figures = await measureOwnWrites(shop, sizes.ownWrites)
          report.own.push({ ...run, figures })
          tell('own', { figures })
        }
      } finally {
        await shop.close()
      }
    }
    if (!only.has('pages') || pagesFolder === null) return
    for (const count of sizes.pages) {
      const figures = await measurePages(await newDatabase(), program, pagesFolder, count)
      report.pages.push({ ...run, ...figures })
      tell('pages', figures)
    }
  }
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
