/** Returns the fields of `changes` that differ from those of `value`. */
export function differingFields<T extends object>(changes: Partial<T>, value: Partial<T>): Partial<T> {
  const entries = Object.entries(changes) as [keyof T, unknown][]
  return Object.fromEntries(entries.filter(([name, each]) => !isSame(each, value[name]))) as Partial<T>
}

/** Tells whether two values are the same as JSON. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
