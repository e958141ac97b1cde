import type { Setting } from './setting.ts'

/** A rule across settings. It is checked only when each of its settings could be read. */
export interface Check {
  readonly settings: readonly Setting<unknown>[]
  /** Returns the fault of the settings' values, given in the order of `settings`; null without a fault. */
  readonly faultOf: (values: readonly unknown[]) => string | null
}

type ValuesIn<S extends readonly Setting<unknown>[]> = {
  readonly [I in keyof S]: S[I] extends Setting<infer T> ? T : never
}

/** Declares a rule across settings. @param faultOf returns a whole line, ready to print and without secrets */
export function check<const S extends readonly Setting<unknown>[]>(
  settings: S,
  faultOf: (...values: ValuesIn<S>) => string | null,
): Check {
  return { settings, faultOf: (values) => faultOf(...(values as unknown as ValuesIn<S>)) }
}

/** Declares that settings are set together, or none of them. */
export function together(...settings: readonly Setting<unknown>[]): Check {
  const names = settings.map(({ name }) => name)
  const fault = `${names.slice(0, -1).join(', ')} and ${names.at(-1)} must be set together`
  return {
    settings,
    faultOf(values) {
      const unset = values.filter((value) => value === null)
      return unset.length === 0 || unset.length === values.length ? null : fault
    },
  }
}
