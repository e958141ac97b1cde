/** Runs the abuser in its own process: takes orders from its parent and reports the results. */
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Abuser, type Target } from './abuser.ts'
import { GROUPS } from './groups.ts'
import type { ScenarioGroup } from './scenario.ts'

export type ToAbuser =
  | { readonly kind: 'prepare'; readonly group: string; readonly target: Target }
  | { readonly kind: 'abuse'; readonly scenario: string; readonly leastMs: number; readonly mostMs: number }

export type FromAbuser =
  | { readonly kind: 'prepared' }
  | {
      readonly kind: 'abused'
      readonly statuses: Readonly<Record<string, number>>
      readonly seconds: number
      /** Reason why the scenario could not go on; null if it could. */
      readonly failure: string | null
    }
  | { readonly kind: 'failed'; readonly message: string }

// A real abuser has its own machine; this one must not take the processor from the service and the neighbour.
setPriority(10)

let abuser: Abuser
let group: ScenarioGroup

process.on('message', (message: ToAbuser) => {
  const work = message.kind === 'prepare' ? prepare(message) : abuse(message)
  work.then(tell, (error: unknown) => tell({ kind: 'failed', message: (error as Error).stack ?? String(error) }))
})

function tell(message: FromAbuser): void {
  process.send!(message)
}

async function prepare(message: ToAbuser & { kind: 'prepare' }): Promise<FromAbuser> {
  group = GROUPS.find(({ name }) => name === message.group)!
  abuser = new Abuser(message.target)
  abuser.begin(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  await group.prepare?.(abuser)
  return { kind: 'prepared' }
}

async function abuse({ scenario, leastMs, mostMs }: ToAbuser & { kind: 'abuse' }): Promise<FromAbuser> {
  const chosen = group.scenarios.find(({ name }) => name === scenario)!
  const began = performance.now()
  abuser.begin(leastMs, mostMs)
  let failure: string | null = null
  const ended = new AbortController()
  const running = chosen.run(abuser).catch((error: unknown) => {
    failure = (error as Error).message
  })
  await Promise.race([running, sleep(mostMs, undefined, { signal: ended.signal }).catch(() => undefined)])
  ended.abort()
  const { statuses } = abuser
  await abuser.end()
  return { kind: 'abused', statuses, seconds: (performance.now() - began) / 1_000, failure }
}
