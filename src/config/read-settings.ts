import type { Check } from './check.ts'
import { isSetting, type Setting, type Settings, type ValuesOf } from './setting.ts'

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>

interface Reading {
  /** A line for each faulty setting and each broken rule, without values. */
  readonly faults: readonly string[]
  /** Returns the values of some of the settings, in their shape. Callers must see to it that there are no faults. */
  readonly valuesOf: <S extends Settings>(settings: S) => ValuesOf<S>
}

/** Reads all settings at once, and checks the rules across them. An empty variable counts as unset. */
export function readSettings(
  env: Environment,
  settings: readonly Setting<unknown>[],
  checks: readonly Check[],
): Reading {
  const values = new Map<Setting<unknown>, unknown>()
  const faults: string[] = []
  for (const setting of settings) {
    try {
      values.set(setting, setting.read(env[setting.name] || undefined))
    } catch (error) {
      faults.push(`${setting.name} ${(error as Error).message}`)
    }
  }
  for (const check of checks) {
    if (!check.settings.every((setting) => values.has(setting))) continue
    const fault = check.faultOf(check.settings.map((setting) => values.get(setting)))
    if (fault !== null) faults.push(fault)
  }
  const valuesOf = <S extends Settings>(group: S): ValuesOf<S> =>
    Object.fromEntries(
      Object.entries(group).map(([key, each]) => [key, isSetting(each) ? values.get(each) : valuesOf(each)]),
    ) as ValuesOf<S>
  return { faults, valuesOf }
}
