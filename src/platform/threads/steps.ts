import type { Pause } from './slices.ts'

/** Runs all steps of a generator at once and returns its result. */
export function drain<T>(steps: Generator<undefined, T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}

/**
 * Runs all steps of a generator with a pause after each and returns its result.
 * @param steps yields after each step of a millisecond or two at most
 */
export async function drainInSlices<T>(steps: Generator<undefined, T>, pause: Pause): Promise<T> {
  let step = steps.next()
  while (step.done !== true) {
    const waiting = pause()
    if (waiting !== undefined) await waiting
    step = steps.next()
  }
  return step.value
}
