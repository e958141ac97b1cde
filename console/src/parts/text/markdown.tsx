import { lazy, Suspense } from 'react'
import { lazyFile } from '../../api/lazy-file.ts'
import { Skeleton } from '../feedback/skeleton.tsx'

const Body = lazy(() => lazyFile(() => import('./markdown-body.tsx')))

/** Shows Markdown to read. HTML in it is left out; the code that draws it is fetched when the first text is shown. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <Body text={text} />
    </Suspense>
  )
}
