import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWords } from '../i18n/language.tsx'
import { faultText } from './fault-text.ts'
import { Notice } from './notice.tsx'

/** Shows loaded data. Until then it says that the data is loading, or why loading failed. */
export function Loaded<T>(props: { readonly query: UseQueryResult<T>; readonly children: (data: T) => ReactNode }) {
  const { query, children } = props
  const words = useWords()
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return (
    <p className="loading" role="status">
      {words.loading}
    </p>
  )
}

/** An error in place of content, with a button to try again. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const words = useWords()
  return (
    <Notice tone="danger" role="alert">
      <p>
        <strong>{words.faults.title}</strong>
      </p>
      <p>{faultText(error, words)}</p>
      <button type="button" className="button" onClick={onRetry}>
        {words.retry}
      </button>
    </Notice>
  )
}
