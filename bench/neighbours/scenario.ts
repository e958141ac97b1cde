import type { Abuser } from './abuser.ts'

/** Something a tenant, or a stranger, does that another one may feel. */
export interface Scenario {
  readonly name: string
  /** What is done, for the report. */
  readonly what: string
  /** The longest it may take, where the usual bound is too short for it to show itself. */
  readonly mostSeconds?: number
  run(abuser: Abuser): Promise<void>
}

/** Scenarios that share a service process, a database and what the abuser has stored beforehand. */
export interface ScenarioGroup {
  readonly name: string
  /** Environment of the service. */
  readonly settings?: Readonly<Record<string, string>>
  /** Settings of the abuser's tenant. */
  readonly tenantSettings?: Readonly<Record<string, string>>
  /** Whether the service asks a name server that never answers. */
  readonly hasSilentResolver?: boolean
  /** What the abuser stores beforehand. */
  prepare?(abuser: Abuser): Promise<void>
  readonly scenarios: readonly Scenario[]
}

/**
 * A group whose scenarios need what the abuser stores first, which is no part of the abuse. It is stored once, before
 * the first of them.
 */
export function prepared<T>(
  group: Omit<ScenarioGroup, 'scenarios' | 'prepare'>,
  prepare: (abuser: Abuser) => Promise<T>,
  scenarios: readonly (Omit<Scenario, 'run'> & { run(abuser: Abuser, stored: T): Promise<void> })[],
): ScenarioGroup {
  let stored: T
  return {
    ...group,
    async prepare(abuser) {
      stored = await prepare(abuser)
    },
    scenarios: scenarios.map((scenario) => ({ ...scenario, run: (abuser) => scenario.run(abuser, stored) })),
  }
}
