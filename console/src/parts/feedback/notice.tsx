import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

type Tone = 'danger' | 'warning' | 'success' | 'plain'

const ICONS: Readonly<Record<Tone, LucideIcon>> = {
  danger: CircleAlert,
  warning: TriangleAlert,
  success: CircleCheck,
  plain: Info,
}

/**
 * Shows a message set apart from the text. Screen readers announce role `alert` at once and role `status` at the next
 * pause; without a role it is normal text.
 */
export function Notice(props: {
  readonly tone: Tone
  readonly role?: 'alert' | 'status'
  readonly children: ReactNode
}) {
  const Icon = ICONS[props.tone]
  return (
    <div className={`notice notice-${props.tone}`} role={props.role}>
      <Icon className="icon" size={18} aria-hidden />
      <div className="notice-text">{props.children}</div>
    </div>
  )
}
