import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { faultText, faultTone } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'

/** Says what an action does before it happens. For actions that do no harm; `ConfirmDialog` is for the others. */
export function AskDialog(props: {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const words = useWords()
  return (
    <Dialog title={props.title} onClose={props.onClose} isBusy={props.isBusy}>
      <p className="dialog-text">{props.text}</p>
      {props.error === null ? null : (
        <Notice tone={faultTone(props.error)} role="alert">
          {faultText(props.error, words)}
        </Notice>
      )}
      <div className="dialog-actions">
        <Button onPress={props.onClose} isDisabled={props.isBusy}>
          {words.cancel}
        </Button>
        <Button kind="main" onPress={props.onConfirm} isPending={props.isBusy}>
          {props.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
