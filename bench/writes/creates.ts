import { makeCorpus } from '../search-corpus.ts'
import { type LoadFigures, measureLoad, medianOf } from '../search-scenarios.ts'
import { ApiClient } from '../support/api-client.ts'
import { LoadProcess } from '../support/load.ts'
import { startServiceProcess } from '../support/service-process.ts'
import type { Version } from './report.ts'

/** Words of what is created: a note or a short description, not a whole page. */
const WORDS = 40
const BODIES = 2_000
const CONNECTIONS = [1, 8, 16, 32] as const

export const CREATED = ['entries', 'products'] as const
export type Created = (typeof CREATED)[number]

/** Figures of creates on some connections: the median of the rounds, and the spread of the creates in a second. */
export interface CreateFigures {
  readonly version: string
  /** Absent in figures from before products were measured, which are of entries. */
  readonly created?: Created
  readonly connections: number
  readonly figures: LoadFigures
  readonly least: number
  readonly most: number
}

/**
 * Measures single creates over HTTP on SQLite with the built-in model, each durable when it is answered. The versions
 * take turns, each time with an empty database.
 */
export async function measureCreates(
  versions: readonly Version[],
  created: Created,
  rounds: number,
  seconds: number,
): Promise<CreateFigures[]> {
  const measured = new Map<string, LoadFigures[]>()
  const load = new LoadProcess()
  try {
    for (let round = 0; round < rounds; round++) {
      for (const version of versions) {
        for (const [connections, figures] of await measureOnce(version, created, load, seconds)) {
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
        created,
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
  created: Created,
  load: LoadProcess,
  seconds: number,
): Promise<(readonly [number, LoadFigures])[]> {
  const service = await startServiceProcess({}, [], [], folder)
  try {
    const { key } = await service.tenant('bench')
    const api = new ApiClient(service.url, key)
    const { path, bodies } = created === 'entries' ? entriesIn(await api.category('Notes')) : await productsIn(api)
    await api.close()
    const { url, pid } = service
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const target = { url, path, pid, headers, status: 201 }
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

interface Creates {
  readonly path: string
  readonly bodies: readonly string[]
}

function entriesIn(category: string): Creates {
  const bodies = makeCorpus(BODIES, 0).entries.map(({ title, content, language, tags }) =>
    JSON.stringify({ title, content: shortened(content), language, category_id: category, tags }),
  )
  return { path: '/api/knowledge/knowledge-entries', bodies }
}

/** Products without an `external_id`, so that each is a new one. */
async function productsIn(api: ApiClient): Promise<Creates> {
  await api.call('POST', '/sites', { name: 'Bench', slug: 'bench' })
  const bodies = makeCorpus(BODIES, 0).entries.map(({ title, content, language }, i) =>
    JSON.stringify({
      title,
      description: shortened(content),
      language,
      sku: `SKU-${i}`,
      price_current: '19.90',
      availability: 'InStock',
    }),
  )
  return { path: '/api/knowledge/products?site_id=bench', bodies }
}

function shortened(content: string): string {
  return content.split(' ').slice(0, WORDS).join(' ')
}
