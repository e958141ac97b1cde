import type { Abuser } from './abuser.ts'

/** An abuse by a tenant or a stranger that may affect another tenant. */
export interface Scenario {
  readonly name: string
  /** Description of the abuse, for the report. */
  readonly what: string
  /** Time limit in seconds, if the usual one is too short for the abuse to have an effect. */
  readonly mostSeconds?: number
  run(abuser: Abuser): Promise<void>
}

/** Scenarios that share a service process, a database and the data that the abuser stored in advance. */
export interface ScenarioGroup {
  readonly name: string
  /** Environment variables of the service. */
  readonly settings?: Readonly<Record<string, string>>
  /** Settings of the abuser's tenant. */
  readonly tenantSettings?: Readonly<Record<string, string>>
  /** Whether the service uses a name server that never answers. */
  readonly hasSilentResolver?: boolean
  /** Stores the abuser's data in advance. */
  prepare?(abuser: Abuser): Promise<void>
  readonly scenarios: readonly Scenario[]
}

/**
 * Returns a group whose scenarios need data. The abuser stores the data once, before the first scenario; storing is not
 * part of the abuse.
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
