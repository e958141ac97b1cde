import type { ReactNode } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'
import { Dialog } from './dialog.tsx'
import { faultText, faultTone } from './fault-text.ts'
import { Notice } from './notice.tsx'

/** Asks before an action that cannot be undone. The focus begins on the button that changes nothing. */
export function ConfirmDialog(props: {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly isBusy: boolean
  /** Whether the dialog already shows all that the action does; true by default. */
  readonly isReady?: boolean
  readonly error: unknown
  /** A further choice within the dialog. */
  readonly choice?: ReactNode
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const words = useWords()
  return (
    <Dialog title={props.title} onClose={props.onClose} isBusy={props.isBusy} isAlert>
      <p className="dialog-text">{props.text}</p>
      {props.choice}
      {props.error === null || props.error === undefined ? null : (
        <Notice tone={faultTone(props.error)} role="alert">
          {faultText(props.error, words)}
        </Notice>
      )}
      <div className="dialog-actions">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog takes the focus anyway, and here it does no harm */}
        <Button onPress={props.onClose} isDisabled={props.isBusy} autoFocus>
          {words.cancel}
        </Button>
        <Button kind="danger" onPress={props.onConfirm} isPending={props.isBusy} isDisabled={props.isReady === false}>
          {props.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
