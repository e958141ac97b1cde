/** Values in which the members `K` are never null, because they have a default that depends on other settings. */
export type With<V, K extends keyof V> = Omit<V, K> & { readonly [Name in K]: NonNullable<V[Name]> }

/** Values of which none is null. */
export type AllSet<V> = { readonly [K in keyof V]: NonNullable<V[K]> }

/** Returns the values of settings that apply only together; null when one of them is not set. */
export function allSet<V extends object>(values: V): AllSet<V> | null {
  return Object.values(values).includes(null) ? null : (values as AllSet<V>)
}
