import assert from 'node:assert/strict'
import { found } from '../support/patience.ts'

/** Returns the samples of a page of metrics, by metric with its labels as they are written. */
export async function samplesOf(base: string): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(`${base}/metrics`)
  assert.equal(answer.status, 200)
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice(0, at), Number(line.slice(at + 1))]
    }),
  )
}

/** Reads the metrics until they are as expected. */
export function eventually(
  base: string,
  isReached: (samples: ReadonlyMap<string, number>) => boolean,
  what: string,
): Promise<ReadonlyMap<string, number>> {
  return found(async () => {
    const samples = await samplesOf(base)
    return isReached(samples) ? samples : null
  }, what)
}
