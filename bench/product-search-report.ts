import type { LoadFigures } from './search-scenarios.ts'
import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, table } from './support/table.ts'

export interface ProductSearchReport {
  readonly machine: MachineFacts
  readonly products: number
  readonly rows: readonly { readonly what: string; readonly connections: number; readonly figures: LoadFigures }[]
  /** Median milliseconds of a suggestion, measured one at a time. */
  readonly suggestMs: number
  readonly requirements: readonly Requirement[]
}

const COST_MAX = 2
const SUGGEST_MAX_MS = 10

/** Compares each product search with the preceding entry search, which has filters if the product search has. */
export function judgeProductSearch(rows: ProductSearchReport['rows'], suggestMs: number): Requirement[] {
  const requirements: Requirement[] = []
  let base = rows[0]
  for (const row of rows) {
    if (row.what.startsWith('entries')) {
      base = row
      continue
    }
    const ratio = row.figures.cpuPer1000 / base.figures.cpuPer1000
    requirements.push({
      what: `${row.what}: at most ${COST_MAX} times the processor time of ${base.what}`,
      measured: `${fixed(ratio, 2)} times`,
      met: ratio <= COST_MAX,
    })
  }
  requirements.push({
    what: `a suggestion within ${SUGGEST_MAX_MS} ms, median`,
    measured: `${fixed(suggestMs, 1)} ms`,
    met: suggestMs <= SUGGEST_MAX_MS,
  })
  return requirements
}

export function productSearchHeadline({ rows, products }: ProductSearchReport): string {
  const row = rows.find(({ what }) => what === 'products, facets')
  if (row === undefined) return ''
  return `${Math.round(row.figures.perSecond)} searches with facets a second of ${products.toLocaleString('en')} products`
}

/** Returns the report as Markdown. */
export function productSearchText({ machine, products, rows, requirements }: ProductSearchReport): string {
  const cells = rows.map(({ what, connections, figures }) => [
    what,
    connections,
    Math.round(figures.perSecond),
    fixed(figures.p50Ms, 1),
    fixed(figures.p99Ms, 1),
    fixed(figures.cpuPer1000, 2),
  ])
  return [
    '## Speed of product search',
    `\`npm run bench:product-search\` fills one tenant with ${products.toLocaleString('en')} products and as many entries with the same words. It sends hybrid searches of three words, with answers of ten, to both in turns. The built-in model embeds each query.`,
    table(['search', 'connections', 'a second', 'p50 ms', 'p99 ms', 'CPU s per 1,000'], cells),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}
