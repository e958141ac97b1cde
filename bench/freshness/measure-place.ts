import { FEEDS, measureFeed } from './feeds.ts'
import { measureOwnWrites } from './own-writes.ts'
import { measurePages } from './pages.ts'
import { measurePrices, measureUnchanged } from './prices.ts'
import { ShopCatalogue } from './products.ts'
import type { FreshnessFigures, Run, ScenarioName } from './report.ts'
import { Shop } from './shop.ts'

/** A state of the program on a database. */
export interface Place extends Run {
  /** Folder of the program. */
  readonly program: string
  /** Returns the settings of a service with an empty database. */
  readonly newDatabase: () => Promise<Readonly<Record<string, string>>>
}

/** Amounts of data and time. */
export interface Sizes {
  readonly products: number
  /** Numbers of pages, each for an import of its own. */
  readonly pages: readonly number[]
  readonly aloneMs: number
  /** Number of searches that are compared with brute force. */
  readonly checks: number
  readonly ownWrites: number
}

export interface PlaceOptions {
  readonly only: ReadonlySet<ScenarioName>
  readonly sizes: Sizes
  /** Folder of the catalogue; null where products are made up. */
  readonly catalogueFolder: string | null
  /** Folder of the pages; null where pages are left out. */
  readonly pagesFolder: string | null
  readonly say: (text: string) => void
}

/** Measures scenarios and adds their figures: those of the shop with one service, each import of pages with another. */
export async function measurePlace(place: Place, options: PlaceOptions, figures: FreshnessFigures): Promise<void> {
  const { only, sizes, pagesFolder } = options
  const { program, newDatabase, ...run } = place
  if ((['feed', 'all', 'prices', 'own'] as const).some((name) => only.has(name)))
    await measureShop(place, options, figures)
  if (!only.has('pages') || pagesFolder === null) return
  for (const count of sizes.pages) {
    const pages = await measurePages(await newDatabase(), program, pagesFolder, count)
    figures.pages.push({ ...run, ...pages })
    tell(place, options, 'pages', pages)
  }
}

async function measureShop(place: Place, options: PlaceOptions, figures: FreshnessFigures): Promise<void> {
  const { only, sizes, catalogueFolder } = options
  const { program, newDatabase, ...run } = place
  const shop = await Shop.open(await newDatabase(), program, new ShopCatalogue(catalogueFolder, sizes.products))
  try {
    for (const name of FEEDS.filter((each) => only.has(each))) {
      const feed = await measureFeed(shop, name, sizes.aloneMs)
      figures.feeds.push({ ...run, ...feed })
      tell(place, options, name, feed)
    }
    if (only.has('prices')) {
      for (const prices of await measurePrices(shop, sizes.checks)) {
        figures.prices.push({ ...run, ...prices })
        tell(place, options, 'prices', prices)
      }
      const unchanged = await measureUnchanged(shop)
      figures.unchanged.push({ ...run, ...unchanged })
      tell(place, options, 'unchanged', unchanged)
    }
    if (only.has('own')) {
      const own = await measureOwnWrites(shop, sizes.ownWrites)
      figures.own.push({ ...run, figures: own })
      tell(place, options, 'own', { figures: own })
    }
  } finally {
    await shop.close()
  }
}

function tell({ version, database, round }: Run, { say }: PlaceOptions, what: string, figures: object): void {
  say(`${database}, ${version}, round ${round}, ${what}: ${JSON.stringify(figures)}`)
}
