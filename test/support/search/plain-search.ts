import type { IndexVersion, SearchAnswer, SearchRequest } from '../../../src/search/engine.ts'
import type { IndexHost } from '../../../src/search/memory/host/index-host.ts'

/** Returns a request for the first ten of all documents by words, without any other option. */
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

/** Returns the answer of a host. @throws the error with which the search fails */
export function answerOf(host: IndexHost, request: SearchRequest): Promise<SearchAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: SearchAnswer | null | Error): void =>
      outcome instanceof Error ? reject(outcome) : resolve(outcome!)
    host.submit({ version: request.version, request, settle })
  })
}
