import type { SearchMode } from '../src/search/engine.ts'
import type { Collection } from './quality-data.ts'
import { scoreRun } from './quality-metrics.ts'
import type { CollectionReport } from './quality-report.ts'
import { ApiClient } from './support/api-client.ts'
import type { ServiceProcess } from './support/service-process.ts'

const MODES: readonly SearchMode[] = ['keyword', 'semantic', 'hybrid']
const LIMIT = 100
/** Replaces an empty title or text of the collection, which an entry must not have. It contains no word. */
const NOTHING = '-'

/**
 * Imports a collection into a tenant of its own and runs its queries.
 * @param onRun receives the rankings, by the collection's name and mode
 */
export async function measureCollection(
  service: ServiceProcess,
  collection: Collection,
  onRun: (name: string, run: ReadonlyMap<string, readonly string[]>) => void,
): Promise<CollectionReport> {
  const { key } = await service.tenant(collection.name)
  const api = new ApiClient(service.url, key)
  try {
    const category = await api.category(collection.name)
    const ids = await api.importEntries(
      collection.documents.map(({ title, text }) => ({
        title: title || NOTHING,
        content: text || NOTHING,
        category_id: category,
        language: collection.language,
      })),
    )
    await api.embedded()
    const documentOf = new Map(ids.map((id, i) => [id, collection.documents[i].id]))
    const modes = {} as CollectionReport['modes']
    for (const mode of MODES) {
      const run = await runQueries(api, collection, documentOf, mode)
      onRun(`${collection.name}-${mode}`, run)
      modes[mode] = scoreRun(collection.judgments, run)
    }
    const { name, language, baseline } = collection
    return { name, language, baseline, documents: ids.length, modes }
  } finally {
    await api.close()
  }
}

async function runQueries(
  api: ApiClient,
  collection: Collection,
  documentOf: ReadonlyMap<string, string>,
  mode: SearchMode,
): Promise<Map<string, string[]>> {
  const run = new Map<string, string[]>()
  for (const { id, text } of collection.queries) {
    const body = { query: text, mode, limit: LIMIT }
    const hits = await api.call<{ entry: { id: string } }[]>('POST', '/knowledge-entries/search', body)
    run.set(
      id,
      hits.map((hit) => documentOf.get(hit.entry.id)!),
    )
  }
  return run
}
