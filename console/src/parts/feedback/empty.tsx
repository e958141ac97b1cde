import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

/**
 * Says why a list is empty and what to do: new (one action), filtered (clear the filters), or no rights (who can give
 * them).
 */
export function Empty(props: {
  readonly title: string
  readonly help?: string
  readonly icon?: LucideIcon
  readonly action?: ReactNode
}) {
  const { title, help, icon: Icon, action } = props
  return (
    <div className="empty">
      {Icon === undefined ? null : <Icon className="icon empty-icon" size={28} strokeWidth={1.5} aria-hidden />}
      <p className="empty-title">{title}</p>
      {help === undefined ? null : <p className="empty-help">{help}</p>}
      {action === undefined ? null : <div className="row empty-action">{action}</div>}
    </div>
  )
}
