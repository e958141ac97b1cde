import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { grouped, table } from './support/table.ts'

/** Resident memory of the service after a number of answered products: at that moment, and its highest until then. */
export interface MemoryMark {
  readonly products: number
  readonly nowMb: number
  readonly peakMb: number
}

export interface ProductsMemoryReport {
  readonly machine: MachineFacts
  readonly catalogue: string
  readonly products: number
  readonly bytes: number
  readonly seconds: number
  readonly idleMb: number
  readonly marks: readonly MemoryMark[]
  readonly requirements: readonly Requirement[]
}

export function productsMemoryHeadline({ marks }: ProductsMemoryReport): string {
  const { products, peakMb } = marks.at(-1)!
  return `at most ${grouped(peakMb)} MB for ${grouped(products)} products`
}

export function productsMemoryText(report: ProductsMemoryReport): string {
  const { machine, catalogue, products, bytes, seconds, idleMb, marks, requirements } = report
  const rows = marks.map((mark) => [grouped(mark.products), grouped(mark.nowMb), grouped(mark.peakMb)])
  return `## Memory of a long push

\`npm run bench:products-memory\` streams ${grouped(products)} products (${catalogue}, varied until there are enough, ${grouped(bytes / 2 ** 20)} MB) through one request to the bulk route as a full sync, vectors included, on SQLite. It took ${seconds.toFixed(1)} seconds. The service's resident memory was ${grouped(idleMb)} MB before the request, then:

${table(['products answered', 'then, MB', 'highest so far, MB'], rows)}

${requirementsText(requirements)}

${machineText(machine)}`
}
