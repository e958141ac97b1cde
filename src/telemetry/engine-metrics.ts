import { Gauge, type Registry } from 'prom-client'
import type { EngineStatus, SearchEngine } from '../search/engine.ts'

type Measure = Exclude<keyof EngineStatus, 'warnings'>

const GAUGES: Readonly<Record<Measure, string>> = {
  indexes: 'Search indexes in memory',
  documents: 'Documents in them',
  passages: 'Passages with vectors in them',
  unreadable: 'Documents that could not be taken in and are not found',
  bytes: 'Memory they take',
  bytesMax: 'Memory they may take',
}

/** Shows what the search indexes hold; asked of the engine when the metrics are read. */
export function watchEngine(registry: Registry, engine: SearchEngine): void {
  for (const [field, help] of Object.entries(GAUGES)) {
    const name = `search_index_${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`
    // oxlint-disable-next-line no-new -- registers itself
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const status = await engine.status().catch(() => null)
        if (status !== null) this.set(status[field as Measure])
      },
    })
  }
}
