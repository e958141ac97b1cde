import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

/**
 * A modal dialog, open while it is rendered. The browser keeps the focus inside and returns it afterwards. Escape calls
 * `onClose`, unless `isBusy` or there is no `onClose`.
 */
export function Dialog(props: {
  readonly title: string
  readonly onClose?: () => void
  readonly isBusy?: boolean
  readonly isWide?: boolean
  readonly children: ReactNode
}) {
  const { title, onClose, isBusy = false, isWide = false, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        if (!isBusy) onClose?.()
      }}
      // Browsers close a dialog on the second Escape even if `cancel` was prevented, but this dialog must stay open.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (!isBusy) onClose?.()
      }}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}
