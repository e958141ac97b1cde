import { setTimeout as sleep } from 'node:timers/promises'
import { Provider } from '../../test/embedding/provider.ts'
import { ApiClient } from '../support/api-client.ts'
import { PostgresFigures } from '../support/postgres-figures.ts'
import { cpuSeconds } from '../support/process-figures.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { type Place, settingsOf, type Version } from './report.ts'

export const IDLE_TENANTS = 300
/** Milliseconds after which the start is over and its memory is given back. */
const REST_MS = 35_000

/** Processor seconds in a minute without any request. */
export interface IdleFigures {
  readonly version: string
  readonly place: string
  readonly service: number
  /** Processor seconds of the database; null where it has no processes of its own. */
  readonly database: number | null
}

/** Measures an idle service with an embedding provider and many tenants, each with an entry. */
export async function measureIdle(version: Version, place: Place, seconds: number): Promise<IdleFigures> {
  const provider = await Provider.start()
  const settings = { ...provider.settings('model-a'), ...settingsOf(place) }
  const service = await startServiceProcess(settings, [], [], version.folder)
  const postgres = place.databaseUrl === null ? null : await PostgresFigures.of(place.databaseUrl)
  try {
    for (let i = 0; i < IDLE_TENANTS; i++) {
      const api = new ApiClient(service.url, (await service.tenant(`tenant-${i}`)).key, 1)
      const category = await api.category('Notes')
      await api.call('POST', '/knowledge-entries', { title: `Note ${i}`, content: 'It rests.', category_id: category })
      await api.close()
    }
    await sleep(REST_MS)
    const before = [cpuSeconds(service.pid), postgres?.cpuSeconds() ?? 0]
    const began = performance.now()
    await sleep(seconds * 1_000)
    const minutes = (performance.now() - began) / 60_000
    return {
      version: version.name,
      place: place.name,
      service: (cpuSeconds(service.pid) - before[0]) / minutes,
      database: postgres === null ? null : (postgres.cpuSeconds() - before[1]) / minutes,
    }
  } finally {
    await postgres?.close()
    await service.stop()
    await provider.stop()
  }
}
