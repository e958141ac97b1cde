/** Runs the service in a container of the size that docs/operations/grow.md states for a budget of indexes. */
import type { ContainerRow } from './memory-report.ts'
import { containerMb, memoryLimit } from './support/memory-limit.ts'
import { metricOf } from './support/metric.ts'
import { memoryMb } from './support/process-figures.ts'
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts'

const LOOK_MS = 50

/**
 * Measures the memory of the service while it works in a container of that size. Where no control group can be made,
 * nothing limits the service, and `killed` is null.
 * @param budgetMb SEARCH_MEMORY_MB
 * @throws the error of the work, unless the system ended the service
 */
export async function inContainer(
  budgetMb: number,
  settings: Readonly<Record<string, string>>,
  work: (service: ServiceProcess) => Promise<void>,
): Promise<Omit<ContainerRow, 'data'>> {
  const sizeMb = containerMb(budgetMb)
  const limit = memoryLimit(sizeMb)
  try {
    // Indexes that make room for each other, and searches that wait for them, would fill the log.
    const all = { LOG_LEVEL: 'error', ...settings, SEARCH_MEMORY_MB: String(budgetMb) }
    const service = await startServiceProcess(all, [], limit?.wrapper)
    const peak = { ownMb: 0, residentMb: 0 }
    const look = (): void => {
      if (!service.isAlive()) return
      const { own, peak: resident } = memoryMb(service.pid)
      // A process that has just ended has no memory to tell of.
      if (Number.isNaN(own)) return
      peak.ownMb = Math.max(peak.ownMb, own)
      peak.residentMb = Math.max(peak.residentMb, resident)
    }
    const looking = setInterval(look, LOOK_MS)
    try {
      const failure = await work(service).then(
        () => null,
        (error: unknown) => error,
      )
      const killed = limit?.killed() ?? null
      if (failure !== null && !killed) throw failure
      look()
      const evictions = killed ? 0 : await metricOf(service, 'search_index_evictions_total')
      return { budgetMb, containerMb: sizeMb, ...peak, chargedMb: limit?.peakMb() ?? null, killed, evictions }
    } finally {
      clearInterval(looking)
      await service.stop()
    }
  } finally {
    await limit?.remove()
  }
}
