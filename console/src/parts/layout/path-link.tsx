import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'

/**
 * Shows a link to an address of the console that is put together, such as one with a query. For fixed routes the
 * router's own `Link` checks more.
 * @param props.label read out in place of the content
 */
export function PathLink(props: {
  readonly to: string
  readonly className?: string
  readonly label?: string
  readonly children: ReactNode
}) {
  return (
    <Link href={props.to} className={props.className} aria-label={props.label}>
      {props.children}
    </Link>
  )
}
