/** Measures how good product search is: judged queries over two real catalogues, in all three modes. */
import { RELEVANT } from '../src/search/ranking/relevance.ts'
import type { SearchMode } from '../src/search/engine.ts'
import { NOTHING_FITS, readNonsense, type JudgedQuery, SPLITS } from './judged-data.ts'
import { measureNonsense, type NonsenseReport, nonsenseText } from './nonsense.ts'
import type { Shop } from './products-quality-data.ts'
import { isFirstRight, type Quality, scoreRun } from './quality-metrics.ts'
import { ApiClient } from './support/api-client.ts'
import { type MachineFacts, machineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { startServiceProcess } from './support/service-process.ts'
import { fixed, table } from './support/table.ts'

interface ShopQuality extends Pick<Quality, 'ndcg10'> {
  /** Number of queries that a product answers; nDCG@10 is the mean over them. */
  readonly queries: number
  /** Number of all queries, and of those with the right first hit. */
  readonly first: { readonly queries: number; readonly right: number }
}
type Modes = Readonly<Record<SearchMode, ShopQuality>>
interface Row {
  readonly name: string
  readonly modes: Modes
}

export interface ShopQualityReport {
  readonly machine: MachineFacts
  readonly products: number
  readonly shops: readonly Row[]
  readonly kinds: readonly Row[]
  readonly splits: readonly Row[]
  readonly all: Modes
  /** Figures of nonsense in hybrid mode. */
  readonly nonsense: readonly NonsenseReport[]
  readonly requirements: readonly Requirement[]
}

const MODES: readonly SearchMode[] = ['keyword', 'semantic', 'hybrid']
const LIMIT = 100
/** nDCG@10 that product search must reach over all judged queries. */
const NDCG_MIN = 0.72
const FIRST_MIN = 0.8
const PER_IMPORT = 2_000

type Run = ReadonlyMap<string, readonly string[]>
type Runs = Readonly<Record<SearchMode, Run>>

interface Measured {
  readonly shop: Shop
  readonly runs: Runs
  readonly rightFirst: readonly number[]
  readonly nonsense: NonsenseReport
}

interface Hit {
  readonly product: { readonly external_id: string }
  readonly score: number
  readonly similarity: number
  readonly relevance: number
}

/**
 * Measures product search over the shops.
 * @param onRun receives each shop's rankings, by site and mode
 */
export async function measureShopQuality(
  shops: readonly Shop[],
  onRun: (name: string, run: Run) => void,
): Promise<ShopQualityReport> {
  const service = await startServiceProcess()
  const { key } = await service.tenant('shop')
  const api = new ApiClient(service.url, key)
  try {
    const measured: Measured[] = []
    for (const shop of shops) {
      await importShop(api, shop)
      const { runs, rightFirst } = await runShop(api, shop)
      for (const mode of MODES) onRun(`${shop.site}-${mode}`, runs[mode])
      measured.push({ shop, runs, rightFirst, nonsense: await runNonsense(api, shop) })
    }
    return report(measured)
  } finally {
    await api.close()
    await service.stop()
  }
}

async function importShop(api: ApiClient, { site, products }: Shop): Promise<void> {
  await api.call('POST', '/sites', { slug: site, name: site })
  for (let from = 0; from < products.length; from += PER_IMPORT) {
    await api.importProducts(site, products.slice(from, from + PER_IMPORT))
  }
  await api.embedded()
}

/**
 * Runs the queries of a shop.
 * @returns the rankings, and the relevance of the first hits that are right, in hybrid mode
 */
async function runShop(
  api: ApiClient,
  { site, queries, judgments }: Shop,
): Promise<{ readonly runs: Runs; readonly rightFirst: readonly number[] }> {
  const runs = {} as Record<SearchMode, Map<string, string[]>>
  const rightFirst: number[] = []
  for (const mode of MODES) {
    runs[mode] = new Map()
    for (const { id, text } of queries) {
      const hits = await search(api, { query: text, mode, limit: LIMIT, site_id: site, relevance: true })
      const ids = hits.map((hit) => hit.product.external_id)
      runs[mode].set(id, ids)
      const isRight = hits.length > 0 && isFirstRight(judgments.get(id) ?? new Map<string, number>(), ids)
      if (mode === 'hybrid' && isRight) rightFirst.push(hits[0].relevance)
    }
  }
  return { runs, rightFirst }
}

function runNonsense(api: ApiClient, { site }: Shop): Promise<NonsenseReport> {
  return measureNonsense(site, readNonsense(), async (text) => {
    const [top] = await search(api, { query: text, mode: 'hybrid', limit: 1, site_id: site, relevance: true })
    return top ?? null
  })
}

async function search(api: ApiClient, body: object): Promise<Hit[]> {
  const { hits } = await api.call<{ hits: Hit[] }>('POST', '/products/search', { ...body, facets: false })
  return hits
}

function report(measured: readonly Measured[]): ShopQualityReport {
  const queries = measured.flatMap(({ shop }) => shop.queries)
  const kinds = [...new Set(queries.map(({ kind }) => kind))]
  const all = score(measured, () => true)
  const better = Math.max(all.keyword.ndcg10, all.semantic.ndcg10)
  const firstRight = all.hybrid.first.right / all.hybrid.first.queries
  const rightFirst = measured.flatMap((each) => each.rightFirst)
  const relevant = rightFirst.filter((relevance) => relevance >= RELEVANT).length / rightFirst.length
  const nonsenseQueries = measured.reduce((sum, { nonsense }) => sum + nonsense.queries, 0)
  const irrelevant = measured.reduce((sum, { nonsense }) => sum + nonsense.irrelevant, 0) / nonsenseQueries
  return {
    machine: machineFacts(),
    products: measured.reduce((sum, { shop }) => sum + shop.products.length, 0),
    shops: measured.map((each) => ({ name: each.shop.site, modes: score([each], () => true) })),
    kinds: kinds.map((name) => ({ name, modes: score(measured, ({ kind }) => kind === name) })),
    splits: SPLITS.map((name) => ({ name, modes: score(measured, ({ split }) => split === name) })),
    all,
    nonsense: measured.map(({ nonsense }) => nonsense),
    requirements: [
      {
        what: `products: hybrid nDCG@10 at least ${fixed(NDCG_MIN, 2)}`,
        measured: fixed(all.hybrid.ndcg10, 3),
        met: all.hybrid.ndcg10 >= NDCG_MIN,
      },
      {
        what: `products: first hit right for at least ${fixed(100 * FIRST_MIN, 0)} percent, hybrid`,
        measured: `${fixed(100 * firstRight, 0)} percent`,
        met: firstRight >= FIRST_MIN,
      },
      {
        what: 'products: hybrid better in the mean than keyword and than semantic',
        measured: `${fixed(all.hybrid.ndcg10, 4)}, better half ${fixed(better, 4)}`,
        met: all.hybrid.ndcg10 > better,
      },
      {
        what: `products: of right first hits, at least 95 percent have a relevance of ${RELEVANT}`,
        measured: `${fixed(100 * relevant, 1)} percent`,
        met: relevant >= 0.95,
      },
      {
        what: `products: of nonsense queries, at least 95 percent have no hit with a relevance of ${RELEVANT}`,
        measured: `${fixed(100 * irrelevant, 1)} percent`,
        met: irrelevant >= 0.95,
      },
    ],
  }
}

function score(measured: readonly Measured[], isWanted: (query: JudgedQuery) => boolean): Modes {
  const judgments = new Map(
    measured.flatMap(({ shop }) =>
      shop.queries.filter(isWanted).map(({ id }) => [id, shop.judgments.get(id) ?? new Map<string, number>()]),
    ),
  )
  const scoreMode = (mode: SearchMode): ShopQuality => {
    const run: Run = new Map(measured.flatMap(({ runs }) => [...runs[mode]]))
    const right = [...judgments].filter(([query, judged]) => isFirstRight(judged, run.get(query) ?? []))
    const { ndcg10, queries } = scoreRun(judgments, run)
    return { ndcg10, queries, first: { queries: judgments.size, right: right.length } }
  }
  return { keyword: scoreMode('keyword'), semantic: scoreMode('semantic'), hybrid: scoreMode('hybrid') }
}

export function shopQualityHeadline({ all: { hybrid } }: ShopQualityReport): string {
  const { right, queries } = hybrid.first
  return `hybrid nDCG@10 ${fixed(hybrid.ndcg10, 3)}, first hit right ${fixed(right / queries, 2)}`
}

/** Returns the report as Markdown. */
export function shopQualityText(report: ShopQualityReport): string {
  const { machine, products, shops, kinds, splits, all, nonsense, requirements } = report
  const rows = [...shops, ...kinds, ...splits, { name: 'all', modes: all }]
  const shareRight = ({ first }: ShopQuality): string => fixed(first.right / first.queries, 2)
  return [
    '## Quality of product search',
    `\`npm run bench:quality\` imports ${products.toLocaleString('en')} real products as two sites and runs the ${all.hybrid.first.queries} product queries of \`bench/judged\`, with the default settings: by site, by kind of query, and for the half that the ranking is tuned on (\`tune\`) and the half that is held back (\`held\`). First nDCG@10 of the queries that something answers, then the share of all queries whose first hit is right; where nothing fits, no hit is right. Then come queries that ask for nothing, in hybrid mode.`,
    table(
      ['nDCG@10', 'queries', ...MODES],
      rows
        .filter(({ name }) => name !== NOTHING_FITS)
        .map(({ name, modes }) => [name, modes.hybrid.queries, ...MODES.map((mode) => fixed(modes[mode].ndcg10, 3))]),
    ),
    table(
      ['first hit right', 'queries', ...MODES],
      rows.map(({ name, modes }) => [
        name,
        modes.hybrid.first.queries,
        ...MODES.map((mode) => shareRight(modes[mode])),
      ]),
    ),
    nonsenseText(nonsense),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}
