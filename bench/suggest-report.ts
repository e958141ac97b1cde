import type { LoadFigures } from './search-scenarios.ts'
import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, grouped, table } from './support/table.ts'

export interface SuggestReport {
  readonly machine: MachineFacts
  /** Name of the catalogue's file; null if the products are made up. */
  readonly catalogue: string | null
  readonly products: number
  /** How many different texts were asked for suggestions. */
  readonly keys: number
  readonly rows: readonly {
    readonly what: 'search' | 'suggestions'
    readonly connections: number
    readonly figures: LoadFigures
  }[]
  readonly requirements: readonly Requirement[]
}

const MEDIAN_MAX_MS = 5
const SHARE_MAX = 0.25

/** The median of one person typing, and the share of a search's processor time for each number of connections. */
export function judgeSuggestions(rows: SuggestReport['rows']): Requirement[] {
  return rows.flatMap(({ what, connections, figures }) => {
    if (what === 'search') return []
    const search = rows.find((row) => row.what === 'search' && row.connections === connections)!
    const share = figures.cpuPer1000 / search.figures.cpuPer1000
    const cost: Requirement = {
      what: `${connections} connections: a key at most ${SHARE_MAX} of a search's processor time`,
      measured: fixed(share, 3),
      met: share <= SHARE_MAX,
    }
    if (connections > 1) return [cost]
    const median: Requirement = {
      what: `a key within ${MEDIAN_MAX_MS} ms, median`,
      measured: `${fixed(figures.p50Ms, 2)} ms`,
      met: figures.p50Ms <= MEDIAN_MAX_MS,
    }
    return [median, cost]
  })
}

/** The report as Markdown. */
export function suggestText({ machine, catalogue, products, keys, rows, requirements }: SuggestReport): string {
  const from = catalogue === null ? 'made-up products' : `products of ${catalogue}`
  const cells = rows.map(({ what, connections, figures }) => [
    what,
    connections,
    Math.round(figures.perSecond),
    fixed(figures.p50Ms, 2),
    fixed(figures.p99Ms, 2),
    fixed(figures.cpuPer1000, 3),
  ])
  return [
    '## Suggestions',
    `\`npm run bench:suggest\` fills one tenant with ${grouped(products)} ${from}. The first three words of titles are typed, and each key asks for suggestions: ${grouped(keys)} different texts. The searches are hybrid ones for the whole words, with facets and answers of ten. Both are measured in turns.`,
    table(['request', 'connections', 'a second', 'p50 ms', 'p99 ms', 'CPU s per 1,000'], cells),
    requirementsText(requirements),
    machineText(machine),
  ].join('\n\n')
}
