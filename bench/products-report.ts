import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { grouped, table } from './support/table.ts'

/** The figures of one database. */
export interface DatabaseFigures {
  readonly database: string
  readonly runs: readonly {
    readonly what: string
    readonly seconds: number
    /** Answers by their status. */
    readonly counts: Readonly<Record<string, number>>
  }[]
  /** The first sync's time divided by that of an unchanged sync. */
  readonly speedup: number
}

export interface ProductsReport {
  readonly machine: MachineFacts
  readonly catalogue: string
  readonly products: number
  readonly bytes: number
  readonly databases: readonly DatabaseFigures[]
  readonly unchangedPushes: number
  readonly requirements: readonly Requirement[]
}

export function productsHeadline({ databases, products }: ProductsReport): string {
  const rates = databases.map(({ database, runs: [first] }) => `${grouped(products / first.seconds)} (${database})`)
  return `new products a second ${rates.join(', ')}`
}

export function productsText(report: ProductsReport): string {
  const { machine, catalogue, products, bytes, databases, unchangedPushes, requirements } = report
  const rows = databases.flatMap(({ database, runs }) =>
    runs.map(({ what, seconds, counts }) => [
      database,
      what,
      Object.entries(counts)
        .map(([status, count]) => `${grouped(count)} ${status}`)
        .join(', '),
      seconds.toFixed(2),
      grouped(products / seconds),
    ]),
  )
  return `## Products

\`npm run bench:products\` pushes ${grouped(products)} products (${catalogue}, ${(bytes / 2 ** 20).toFixed(1)} MB) through one request to the bulk route as full syncs. Times include vectors of the built-in model and index keys. Both databases run on the same machine and wait for the disk at each commit. The unchanged sync is the median of ${unchangedPushes}.

${table(['database', 'sync', 'answers', 'seconds', 'products per second'], rows)}

${requirementsText(requirements)}

${machineText(machine)}`
}
