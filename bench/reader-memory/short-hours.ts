/**
 * Makes the hour after which an unused thread ends pass in a few seconds. Loaded into each thread of a service by
 * `--import`.
 */
const HOUR_MS = 60 * 60_000
const shortMs = Number(process.env.SHORT_HOUR_MS)
const start = globalThis.setTimeout.bind(globalThis)

function startTimer(run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): NodeJS.Timeout {
  return start(run, ms === HOUR_MS ? shortMs : ms, ...args)
}

globalThis.setTimeout = Object.assign(startTimer, globalThis.setTimeout)
