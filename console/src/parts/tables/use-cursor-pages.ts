import { keepPreviousData, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

export interface CursorPage<Row> {
  readonly rows: readonly Row[]
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null
  /** Number of rows altogether; null when the service did not count them. */
  readonly total: number | null
}

const NO_ROWS: readonly never[] = []

/**
 * Turns the pages of a list that the service cuts with cursors. Another `key`, such as that of another filter, begins
 * with the first page in the same rendering, so that no page is requested that no longer exists. The next page is
 * fetched ahead.
 * @param options.key names the list with its filters and order
 * @param options.pageSize rows of a page, which tells the index of a page's first row
 */
export function useCursorPages<Row>(options: {
  readonly key: QueryKey
  readonly pageSize: number
  readonly ask: (cursor: string | null, signal: AbortSignal) => Promise<CursorPage<Row>>
}) {
  const { key, pageSize, ask } = options
  const name = JSON.stringify(key)
  const [turned, setTurned] = useState<{ readonly list: string; readonly cursors: readonly string[] }>({
    list: name,
    cursors: [],
  })
  const cursors = turned.list === name ? turned.cursors : []
  const cursor = cursors.at(-1) ?? null
  const queries = useQueryClient()
  const optionsOf = (pageCursor: string | null) => ({
    queryKey: [...key, { cursor: pageCursor }],
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(pageCursor, signal),
  })
  const query = useQuery({ ...optionsOf(cursor), placeholderData: keepPreviousData })
  const { data, isPlaceholderData } = query
  const next = isPlaceholderData ? null : (data?.next ?? null)
  useEffect(() => {
    if (next !== null) void queries.prefetchQuery(optionsOf(next))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the options are new at each rendering, the cursor is not
  }, [next, queries])
  return {
    query,
    rows: data?.rows ?? NO_ROWS,
    total: data?.total ?? null,
    firstRow: cursors.length * pageSize,
    /** Whether the rows are those of an earlier page or filter. */
    isStale: isPlaceholderData,
    onPrevious: cursors.length === 0 ? null : () => setTurned({ list: name, cursors: cursors.slice(0, -1) }),
    onNext: next === null ? null : () => setTurned({ list: name, cursors: [...cursors, next] }),
  }
}
