import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from './load.ts'
import type { Installation } from './installation.ts'

/** A fault of some time. It ends when it is put right and every process is ready again. */
export interface Fault {
  readonly name: string
  readonly run: (installation: Installation, load: Load, random: () => number) => Promise<void>
}

const LASTS_MS = 15_000
const SLOW_MS = 1_500
const SUSPENDED_MS = 5_000
const DOWN_MS = 2_000
const HANG_UP_SHARE = 0.2
const HANG_UP_MS = 15

const oneOf = ({ size }: Installation, random: () => number): number => Math.floor(random() * size)

/** Faults. Each comes once in a rotation, in an order that the seed decides. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'kill -9 of a process',
    async run(installation, _load, random) {
      const index = oneOf(installation, random)
      await installation.kill(index)
      await sleep(DOWN_MS)
      await installation.start(index)
      await installation.isReady()
    },
  },
  {
    name: 'a process suspended for 5 s',
    async run(installation, _load, random) {
      const index = oneOf(installation, random)
      installation.signal(index, 'SIGSTOP')
      try {
        await sleep(SUSPENDED_MS)
      } finally {
        installation.signal(index, 'SIGCONT')
      }
      await installation.isReady()
    },
  },
  {
    name: 'both processes replaced, one after the other (SIGTERM)',
    async run(installation) {
      for (let index = 0; index < installation.size; index++) {
        await installation.stop(index)
        await installation.start(index)
        await installation.isReady()
      }
    },
  },
  {
    name: 'a restart of PostgreSQL',
    async run(installation) {
      await installation.site.restartPostgres()
      await installation.isReady()
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    async run(installation) {
      await installation.site.crashPostgres()
      await installation.isReady()
    },
  },
  {
    name: 'an embedding provider that fails for 15 s',
    async run({ site: { provider } }) {
      provider.isDown = true
      await sleep(LASTS_MS)
      provider.isDown = false
    },
  },
  {
    name: 'an embedding provider that takes 1.5 s, for 15 s',
    async run({ site: { provider } }) {
      provider.delayMs = SLOW_MS
      await sleep(LASTS_MS)
      provider.delayMs = 0
    },
  },
  {
    name: 'a fifth of the clients hang up, for 15 s',
    async run(_installation, load, random) {
      load.hangUp = () =>
        random() < HANG_UP_SHARE ? AbortSignal.timeout(1 + Math.floor(random() * HANG_UP_MS)) : undefined
      await sleep(LASTS_MS)
      load.hangUp = () => undefined
    },
  },
  {
    name: 'the disk of both processes full for 15 s',
    async run({ site: { disk } }) {
      disk?.set({ write: 'full' })
      await sleep(LASTS_MS)
      disk?.set({})
    },
  },
]

/** Yields faults without end: every one once, in a new order each time. */
export function* rotation(faults: readonly Fault[], random: () => number): Generator<Fault, never> {
  for (;;) {
    const left = [...faults]
    while (left.length > 0) yield left.splice(Math.floor(random() * left.length), 1)[0]
  }
}
