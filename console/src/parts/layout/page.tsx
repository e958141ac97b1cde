import { type ReactNode, useEffect, useRef } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { harmless } from '../../jsx/harmless.ts'

let pageCount = 0

/**
 * Shows a page's heading and content. Sets the document's title. After navigation within the console the heading takes
 * the focus, so that screen readers announce the new page.
 */
export function Page(props: {
  readonly title: string
  readonly intro?: string
  readonly action?: ReactNode
  readonly children?: ReactNode
}) {
  const { title, intro, action, children } = props
  const words = useWords()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${harmless(title)} – ${words.product}`
  }, [title, words])
  useEffect(() => {
    if (pageCount++ > 0) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <>
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {intro === undefined ? null : <p className="intro">{intro}</p>}
        </div>
        {action}
      </div>
      {children}
    </>
  )
}
