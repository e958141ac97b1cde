import type { NewClick, NewSearch } from '../../src/insights/search-log/store.ts'
import { randomSource, zipfSource } from './random.ts'

export const DAY_MS = 86_400_000
const TENANT = 'bench'

const VOCABULARY = 300_000
const PRODUCTS = 20_000
const SHOWN = 10
const VISITORS = 200_003
const NETWORKS = 20_011
/** Share of searches with a click. */
const CLICKED = 0.3

/** A visitor's search in a shop, and the products clicked in it. */
export interface Visit {
  readonly search: NewSearch
  readonly click: NewClick | null
}

/**
 * Makes visits of a shop in order of time: queries by Zipf's law, almost the same products for each repetition of a
 * query (only the last of a page changes), and fewer clicks at lower ranks.
 */
export function visitsFrom(from: number, to: number, count: number): { next(): Visit } {
  const random = randomSource(7)
  const query = zipfSource(
    Array.from({ length: VOCABULARY }, (_, i) => i),
    random,
  )
  const id = (kind: string, n: number): string => `${kind}-0000-7000-8000-${String(n).padStart(12, '0')}`
  const step = (to - from) / count
  let n = 0
  return {
    next() {
      const at = Math.floor(from + n * step)
      const word = query()
      const products = Array.from({ length: SHOWN }, (_, i) =>
        id('00000001', (word * 31 + (i === SHOWN - 1 ? Math.floor(random() * 20) : i)) % PRODUCTS),
      )
      const search: NewSearch = {
        tenant_id: TENANT,
        id: id('00000002', n),
        section: 'products',
        at,
        site_id: null,
        mode: 'hybrid',
        query: `query ${word}`,
        query_key: `query ${word}`,
        page_offset: 0,
        hits: word % 25 === 0 ? 0 : 42,
        shown: JSON.stringify(products),
        user_id: null,
        client_id: null,
        duration_ms: 3.5,
        visitor: `0.${n % VISITORS}`,
      }
      const click: NewClick | null =
        random() >= CLICKED
          ? null
          : {
              tenant_id: TENANT,
              id: id('00000003', n),
              at: at + 5_000,
              search_log_id: search.id,
              action: 'click',
              product_id: products[Math.floor(SHOWN * random() ** 3)],
              section: 'products',
              rank: 0,
              score: 0,
              user_id: null,
              client_id: null,
              visitor: search.visitor,
              network: `0.${n % NETWORKS}`,
            }
      n++
      return { search, click }
    },
  }
}
