import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from './service-process.ts'

/**
 * Returns a figure of a service's metrics.
 * @param name name of the metric with its labels
 */
export async function metricOf({ url }: Pick<ServiceProcess, 'url'>, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  if (line === undefined) throw new Error(`There is no metric ${name}`)
  return Number(line.slice(name.length))
}

const LOOK_MS = 1_000

/**
 * Waits until a number of indexes were written to disk. Their dictionaries are frozen for that, so their memory is that
 * of rest.
 * @throws Error when that takes longer than `withinMs`
 */
export async function untilSaved(
  service: Pick<ServiceProcess, 'url'>,
  indexes: number,
  withinMs: number,
): Promise<void> {
  const began = performance.now()
  while ((await metricOf(service, 'search_snapshots_total{event="saved"}')) < indexes) {
    if (performance.now() - began > withinMs) throw new Error('Not every index was written to disk')
    await sleep(LOOK_MS)
  }
}
