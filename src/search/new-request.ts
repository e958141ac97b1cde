import type { Caller } from '../platform/access/caller.ts'
import type { Filter, IndexDefinition, SearchRequest } from './engine.ts'

/** The request that every search starts from: the first ten of all visible documents, by meaning alone. */
export function newRequest({ tenant }: Caller, index: IndexDefinition, visible: Filter): SearchRequest {
  const { id: tenantId, embeddingModel: model, watermark } = tenant
  return {
    version: { tenantId, index: index.name, model, watermark },
    mode: 'semantic',
    query: '',
    vector: null,
    visible,
    filter: { all: [] },
    offset: 0,
    limit: 10,
    minSimilarity: null,
    vectorWeight: 0,
    groups: null,
    explain: false,
  }
}
