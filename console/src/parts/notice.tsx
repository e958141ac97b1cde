import type { ReactNode } from 'react'

type Tone = 'danger' | 'warning' | 'success' | 'plain'

/**
 * A message set apart from the text. Read out at once when `role` is alert, when there is a pause when it is status;
 * without a role it is part of the page.
 */
export function Notice(props: {
  readonly tone: Tone
  readonly role?: 'alert' | 'status'
  readonly children: ReactNode
}) {
  return (
    <div className={`notice notice-${props.tone}`} role={props.role}>
      {props.children}
    </div>
  )
}
