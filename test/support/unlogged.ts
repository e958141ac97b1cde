import type { Parts } from '../../src/app.ts'
import { SearchLog } from '../../src/insights/search-log/search-log.ts'

/** Returns the parts of a service without a search log, for tests of other parts. */
export function unlogged(): Pick<Parts, 'searchLog' | 'logThread'> {
  const refuse = () => Promise.reject(new Error('there is no search log here'))
  const nowhere = { search: () => undefined, click: () => undefined }
  return {
    searchLog: new SearchLog(nowhere, {
      answered: () => undefined,
      written: () => undefined,
      dropped: () => undefined,
    }),
    logThread: { analyse: refuse, learn: refuse, learntFor: refuse, learntQueries: refuse },
  }
}
