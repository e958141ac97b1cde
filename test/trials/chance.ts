/** Returns one of several items, by a source of numbers in [0, 1). */
export function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]
}
