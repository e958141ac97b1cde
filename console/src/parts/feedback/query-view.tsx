import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiFault } from '../../api/client.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'
import { faultText } from './fault-text.ts'
import { Notice } from './notice.tsx'
import { Skeleton } from './skeleton.tsx'

/**
 * Shows loaded data. Until then it shows the outline of the content, or why loading failed. When only a renewal failed,
 * the old data stays on the screen.
 */
export function QueryView<T>(props: {
  readonly query: UseQueryResult<T>
  /** Outline that is shown while the content loads. */
  readonly skeleton?: ReactNode
  readonly children: (data: T) => ReactNode
}) {
  const { query, children } = props
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return props.skeleton ?? <Skeleton />
}

/**
 * Shows an error in place of content: what happened, a button to try again, and the number of the answer if there is
 * one.
 */
export function Failure(props: { readonly error: unknown; readonly onRetry: () => void; readonly title?: string }) {
  const { error, onRetry } = props
  const words = useWords()
  const answerNumber = error instanceof ApiFault && error.status >= 500 ? error.requestId : null
  return (
    <Notice tone="danger" role="alert">
      <p>
        <strong>{props.title ?? words.faults.title}</strong>
      </p>
      <p>{faultText(error, words)}</p>
      {answerNumber === null ? null : <p className="second">{words.faults.quote(answerNumber)}</p>}
      <Button onPress={onRetry}>{words.retry}</Button>
    </Notice>
  )
}
