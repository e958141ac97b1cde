import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { grouped, table } from './support/table.ts'

export interface ProductsReport {
  readonly machine: MachineFacts
  readonly catalogue: string
  readonly database: string
  readonly products: number
  readonly bytes: number
  readonly runs: readonly {
    readonly what: string
    readonly seconds: number
    readonly counts: Readonly<Record<string, number>>
  }[]
  readonly speedup: number
  readonly requirements: readonly Requirement[]
}

export function productsText({ machine, catalogue, database, products, bytes, runs, requirements }: ProductsReport) {
  const rows = runs.map(({ what, seconds, counts }) => [
    what,
    Object.entries(counts)
      .map(([status, count]) => `${grouped(count)} ${status}`)
      .join(', '),
    seconds.toFixed(2),
    grouped(products / seconds),
  ])
  return `## Products

\`npm run bench:products\` pushes ${grouped(products)} products (${catalogue}, ${(bytes / 2 ** 20).toFixed(1)} MB) through one request to the bulk route as full syncs, vectors by the built-in model and index keys included; ${database}.

${table(['sync', 'answers', 'seconds', 'products per second'], rows)}

${requirementsText(requirements)}

${machineText(machine)}`
}
