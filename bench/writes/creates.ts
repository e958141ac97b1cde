import { makeCorpus } from '../search-corpus.ts'
import { type LoadFigures, measureLoad, medianOf } from '../search-scenarios.ts'
import { ApiClient } from '../support/api-client.ts'
import { LoadProcess } from '../support/load.ts'
import { startServiceProcess } from '../support/service-process.ts'
import type { Version } from './report.ts'

const PATH = '/api/knowledge/knowledge-entries'
/** Words of a created entry: what somebody notes, not a whole page. */
const WORDS = 40
const BODIES = 2_000
const CONNECTIONS = [1, 8, 32] as const

/** Creates on some connections: the median of the rounds, and the spread of what they did in a second. */
export interface CreateFigures {
  readonly version: string
  readonly connections: number
  readonly figures: LoadFigures
  readonly least: number
  readonly most: number
}

/**
 * Single creates over HTTP on SQLite with the built-in model, each durable when it is answered. The versions take
 * turns, each time with an empty database.
 */
export async function measureCreates(
  versions: readonly Version[],
  rounds: number,
  seconds: number,
): Promise<CreateFigures[]> {
  const measured = new Map<string, LoadFigures[]>()
  const load = new LoadProcess()
  try {
    for (let round = 0; round < rounds; round++) {
      for (const version of versions) {
        for (const [connections, figures] of await measureOnce(version, load, seconds)) {
          const key = `${version.name} ${connections}`
          measured.set(key, [...(measured.get(key) ?? []), figures])
        }
      }
    }
  } finally {
    await load.close()
  }
  return CONNECTIONS.flatMap((connections) =>
    versions.map(({ name }) => {
      const all = measured.get(`${name} ${connections}`)!
      const speeds = all.map(({ perSecond }) => perSecond)
      return {
        version: name,
        connections,
        figures: medianOf(all),
        least: Math.min(...speeds),
        most: Math.max(...speeds),
      }
    }),
  )
}

async function measureOnce(
  { folder }: Version,
  load: LoadProcess,
  seconds: number,
): Promise<(readonly [number, LoadFigures])[]> {
  const service = await startServiceProcess({}, [], [], folder)
  try {
    const { key } = await service.tenant('bench')
    const api = new ApiClient(service.url, key)
    const category = await api.category('Notes')
    await api.close()
    const { url, pid } = service
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const target = { url, path: PATH, pid, headers, status: 201 }
    const bodies = bodiesIn(category)
    const all: (readonly [number, LoadFigures])[] = []
    for (const connections of CONNECTIONS) {
      const sizes = { warmUpMs: 1_500, measureMs: seconds * 1_000 }
      all.push([connections, await measureLoad(load, target, bodies, connections, sizes)])
    }
    return all
  } finally {
    await service.stop()
  }
}

function bodiesIn(category: string): string[] {
  return makeCorpus(BODIES, 0).entries.map(({ title, content, language, tags }) =>
    JSON.stringify({
      title,
      content: content.split(' ').slice(0, WORDS).join(' '),
      language,
      category_id: category,
      tags,
    }),
  )
}
