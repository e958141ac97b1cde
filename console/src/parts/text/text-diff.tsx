import { lazy, Suspense } from 'react'
import { lazyFile } from '../../api/lazy-file.ts'
import { LazyBoundary } from '../feedback/lazy-boundary.tsx'
import { Skeleton } from '../feedback/skeleton.tsx'

const Body = lazy(() => lazyFile(() => import('./text-diff-body.tsx')))

/** What changed between two texts: what is gone struck through, what is new underlined. Fetched with the first use. */
export function TextDiff(props: { readonly before: string; readonly after: string; readonly lang?: string }) {
  return (
    <LazyBoundary>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Body {...props} />
      </Suspense>
    </LazyBoundary>
  )
}
