import { lazy, Suspense } from 'react'
import { lazyFile } from '../../api/lazy-file.ts'
import { LazyBoundary } from '../feedback/lazy-boundary.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'

const Body = lazy(() => lazyFile(() => import('./text-diff-body.tsx')))

/**
 * Shows the differences of two texts: removed text struck through, new text underlined. The code that draws it is
 * fetched with the first use.
 */
export function TextDiff(props: { readonly before: string; readonly after: string; readonly lang?: string }) {
  return (
    <LazyBoundary>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Body {...props} />
      </Suspense>
    </LazyBoundary>
  )
}
