import { type ReactNode, useEffect, useRef } from 'react'
import { useWords } from '../i18n/language.tsx'

let shown = 0

/**
 * A page's heading and what follows. The document takes its title, and after a move within the console the heading
 * takes the focus, so that a screen reader says where one is.
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
    document.title = `${title} – ${words.product}`
  }, [title, words])
  useEffect(() => {
    if (shown++ > 0) heading.current?.focus({ preventScroll: true })
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
