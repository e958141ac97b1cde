/** Loaded into every thread of a service by `--import`. A start waits for its indexes for as long as it takes. */
import timers from 'node:timers/promises'
import { syncBuiltinESMExports } from 'node:module'
import { WARM_WITHIN_MS } from '../../src/search/memory/host/protocol.ts'

const { setTimeout: sleep } = timers

Object.assign(timers, {
  setTimeout: (ms: number, ...more: []): Promise<void> =>
    ms === WARM_WITHIN_MS ? new Promise(() => undefined) : sleep(ms, ...more),
})
syncBuiltinESMExports()
