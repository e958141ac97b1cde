import type { IndexVersion, SearchAnswer, SearchRequest } from '../../../src/search/engine.ts'
import type { IndexHost } from '../../../src/search/memory/host/index-host.ts'

/** A search by words among everything, for the first ten, that asks for nothing else. */
export function plainSearch(version: IndexVersion, query: string): SearchRequest {
  return {
    version,
    mode: 'keyword',
    query,
    vector: null,
    visible: { all: [] },
    filter: { all: [] },
    offset: 0,
    limit: 10,
    minSimilarity: null,
    vectorWeight: 0.5,
    groups: null,
    explain: false,
  }
}

/** Asks a host. @throws what the search fails with */
export function answerOf(host: IndexHost, request: SearchRequest): Promise<SearchAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: SearchAnswer | null | Error): void =>
      outcome instanceof Error ? reject(outcome) : resolve(outcome!)
    host.submit({ version: request.version, request, settle })
  })
}
