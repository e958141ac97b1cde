import type { ReactNode } from 'react'

type Tone = 'danger' | 'warning' | 'success' | 'plain'

/**
 * A message set apart from the text. Screen readers announce role `alert` at once and role `status` at the next pause;
 * without a role it is normal text.
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
