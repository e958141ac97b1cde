import type { EngineStatus } from './engine.ts'

/** Fields of which the worst counts for several engines; all others are sums. */
const WORST: Readonly<Partial<Record<keyof EngineStatus, (a: number, b: number) => number>>> = {
  behindMs: Math.max,
  builtPercent: Math.min,
}

/** Returns the status of several engines together. */
export function sumOfStatuses(first: EngineStatus, others: readonly EngineStatus[]): EngineStatus {
  const sum: Record<keyof EngineStatus, number> = { ...first }
  for (const other of others) {
    for (const field of Object.keys(sum) as (keyof EngineStatus)[]) {
      const worst = WORST[field]
      sum[field] = worst === undefined ? sum[field] + other[field] : worst(sum[field], other[field])
    }
  }
  return sum
}
