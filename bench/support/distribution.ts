/** Distribution of times in milliseconds. */
export interface Distribution {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Returns the percentiles by nearest rank. */
export function distribution(values: readonly number[]): Distribution {
  const sorted = Float64Array.from(values).sort()
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 }
}
