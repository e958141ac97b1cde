import type { EngineStatus } from './engine.ts'

/** Fields that are numbers. */
export type StatusNumber = Exclude<keyof EngineStatus, 'leftOutDocuments'>

/** Fields of which the worst counts for several engines; all other numbers are sums. */
const WORST: Readonly<Partial<Record<StatusNumber, (a: number, b: number) => number>>> = {
  behindMs: Math.max,
  builtPercent: Math.min,
}

/** Returns the status of several engines together. */
export function sumOfStatuses(first: EngineStatus, others: readonly EngineStatus[]): EngineStatus {
  const { leftOutDocuments: _listed, ...numbers } = first
  const sum: Record<StatusNumber, number> = { ...numbers }
  for (const other of others) {
    for (const field of Object.keys(sum) as StatusNumber[]) {
      const worst = WORST[field]
      sum[field] = worst === undefined ? sum[field] + other[field] : worst(sum[field], other[field])
    }
  }
  return { ...sum, leftOutDocuments: [first, ...others].flatMap((each) => each.leftOutDocuments) }
}
