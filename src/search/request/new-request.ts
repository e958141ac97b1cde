import type { Caller } from '../../platform/access/caller.ts'
import type { Filter, IndexDefinition, SearchRequest } from '../engine.ts'

/** Returns the request from which every search starts: the first ten of all visible documents, by meaning alone. */
export function newRequest(caller: Caller, index: IndexDefinition, visible: Filter): SearchRequest {
  const { id: tenantId, embeddingModel: model, watermark, settings } = caller.tenant
  return {
    version: { tenantId, index: index.name, model, watermark, engine: settings.searchEngine },
    mode: 'semantic',
    query: '',
    vector: null,
    visible: onBoundSites(caller, visible),
    filter: { all: [] },
    offset: 0,
    limit: 10,
    minSimilarity: null,
    vectorWeight: 0,
    groups: null,
    explain: false,
    ...(caller.texts === undefined ? {} : { texts: caller.texts }),
  }
}

/**
 * Narrows the visible documents to the sites of a publishable key that is bound to sites. Entries and products both
 * have the key field `site`.
 */
function onBoundSites({ publishable }: Caller, visible: Filter): Filter {
  const siteIds = publishable?.siteIds ?? null
  return siteIds === null ? visible : { all: [visible, { field: 'site', anyOf: siteIds }] }
}
