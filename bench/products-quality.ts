/** Measures how good product search is: judged queries over two real catalogues, in all three modes. */
import type { SearchMode } from '../src/search/engine.ts'
import type { Shop } from './products-quality-data.ts'
import { type Quality, scoreRun } from './quality-metrics.ts'
import { ApiClient } from './support/api-client.ts'
import { type MachineFacts, machineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { startServiceProcess } from './support/service-process.ts'
import { fixed, table } from './support/table.ts'

type Modes = Readonly<Record<SearchMode, Quality & { readonly queries: number }>>

export interface ShopQualityReport {
  readonly machine: MachineFacts
  readonly products: number
  readonly shops: readonly { readonly name: string; readonly modes: Modes }[]
  readonly kinds: readonly { readonly name: string; readonly modes: Modes }[]
  readonly all: Modes
  readonly requirements: readonly Requirement[]
}

const MODES: readonly SearchMode[] = ['keyword', 'semantic', 'hybrid']
const LIMIT = 100
const PER_IMPORT = 2_000

type Run = ReadonlyMap<string, readonly string[]>
type Runs = Readonly<Record<SearchMode, Run>>

export async function measureShopQuality(shops: readonly Shop[]): Promise<ShopQualityReport> {
  const service = await startServiceProcess()
  const { key } = await service.tenant('shop')
  const api = new ApiClient(service.url, key)
  try {
    const measured: { shop: Shop; runs: Runs }[] = []
    for (const shop of shops) measured.push({ shop, runs: await runShop(api, shop) })
    return report(measured)
  } finally {
    await api.close()
    await service.stop()
  }
}

async function runShop(api: ApiClient, { site, products, queries }: Shop): Promise<Runs> {
  await api.call('POST', '/sites', { slug: site, name: site })
  for (let from = 0; from < products.length; from += PER_IMPORT) {
    await api.importProducts(site, products.slice(from, from + PER_IMPORT))
  }
  const runs = {} as Record<SearchMode, Map<string, string[]>>
  for (const mode of MODES) {
    runs[mode] = new Map()
    for (const { id, text } of queries) {
      const body = { query: text, mode, limit: LIMIT, site_id: site, facets: false }
      const { hits } = await api.call<{ hits: { product: { external_id: string } }[] }>(
        'POST',
        '/products/search',
        body,
      )
      runs[mode].set(
        id,
        hits.map((hit) => hit.product.external_id),
      )
    }
  }
  return runs
}

function report(measured: readonly { shop: Shop; runs: Runs }[]): ShopQualityReport {
  const queries = measured.flatMap(({ shop }) => shop.queries)
  const kinds = [...new Set(queries.map(({ kind }) => kind))]
  const idsOf = (kind: string): string[] => queries.filter((query) => query.kind === kind).map(({ id }) => id)
  const all = score(measured, () => true)
  const better = Math.max(all.keyword.ndcg10, all.semantic.ndcg10)
  return {
    machine: machineFacts(),
    products: measured.reduce((sum, { shop }) => sum + shop.products.length, 0),
    shops: measured.map((each) => ({ name: each.shop.site, modes: score([each], () => true) })),
    kinds: kinds.map((name) => ({ name, modes: score(measured, (id) => idsOf(name).includes(id)) })),
    all,
    requirements: [
      {
        what: 'products: hybrid better in the mean than keyword and than semantic',
        measured: `${fixed(all.hybrid.ndcg10, 4)}, better half ${fixed(better, 4)}`,
        met: all.hybrid.ndcg10 > better,
      },
    ],
  }
}

function score(measured: readonly { shop: Shop; runs: Runs }[], isWanted: (query: string) => boolean): Modes {
  const judgments = new Map(measured.flatMap(({ shop }) => [...shop.judgments].filter(([query]) => isWanted(query))))
  const runOf = (mode: SearchMode): Run => new Map(measured.flatMap(({ runs }) => [...runs[mode]]))
  return {
    keyword: scoreRun(judgments, runOf('keyword')),
    semantic: scoreRun(judgments, runOf('semantic')),
    hybrid: scoreRun(judgments, runOf('hybrid')),
  }
}

/** The report as Markdown. */
export function shopQualityText({ machine, products, shops, kinds, all, requirements }: ShopQualityReport): string {
  const rows = [...shops, ...kinds, { name: 'all', modes: all }].map(({ name, modes }) => [
    name,
    modes.hybrid.queries,
    ...MODES.map((mode) => fixed(modes[mode].ndcg10, 3)),
  ])
  return [
    '## Quality of product search',
    `\`npm run bench:quality\` imports ${products.toLocaleString('en')} real products as two sites and runs the queries of \`bench/judged\`, 34 over electronics and 26 over groceries, with the default settings. Figures are nDCG@10, by site and by kind of query.`,
    table(['queries', 'number', 'keyword', 'semantic', 'hybrid'], rows),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}
