import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

/**
 * A modal dialog, open for as long as it is rendered. The browser keeps the focus inside and gives it back to where it
 * was. Escape calls `onClose`, unless `isBusy` or there is none.
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
      // A browser closes on the second Escape whatever `cancel` says; what must be read stays open.
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
