import type { ReactNode } from 'react'
import { useWords } from '../i18n/language.tsx'
import { Dialog } from './dialog.tsx'
import { faultText } from './fault-text.ts'
import { Notice } from './notice.tsx'

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly isBusy: boolean
  readonly error: unknown
  /** A further choice within the dialog. */
  readonly choice?: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const words = useWords()
  return (
    <Dialog title={props.title} onClose={props.onClose} isBusy={props.isBusy}>
      <p className="dialog-text">{props.text}</p>
      {props.choice}
      {props.error === null || props.error === undefined ? null : (
        <Notice tone="danger" role="alert">
          {faultText(props.error, words)}
        </Notice>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" onClick={props.onClose} disabled={props.isBusy}>
          {words.cancel}
        </button>
        <button type="button" className="button button-danger" onClick={props.onConfirm} disabled={props.isBusy}>
          {props.confirm}
        </button>
      </div>
    </Dialog>
  )
}
