import { type SubmitEvent, useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { textOf } from '../../parts/editing/form-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'

/** Asks for the name of a passkey. @param props.fault fault of the last try; null without one */
export function NameDialog(props: {
  readonly title: string
  readonly submit: string
  readonly name: string
  readonly fault: string | null
  readonly isBusy: boolean
  readonly onName: (name: string) => void
  readonly onClose: () => void
}) {
  const words = useWords()
  const { passkeys } = words.security
  const [isEmpty, setEmpty] = useState(false)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const name = textOf(new FormData(event.currentTarget), 'name').trim()
    setEmpty(name === '')
    if (name !== '') props.onName(name)
  }
  return (
    <Dialog title={props.title} onClose={props.onClose} isBusy={props.isBusy}>
      <form className="form" onSubmit={submit} noValidate>
        {props.fault === null ? null : (
          <Notice tone="danger" role="alert">
            {props.fault}
          </Notice>
        )}
        <Field label={passkeys.name} help={passkeys.nameHelp} fault={isEmpty ? passkeys.nameNeeded : null}>
          {(ids) => (
            <input
              {...ids}
              name="name"
              type="text"
              autoComplete="off"
              required
              maxLength={100}
              defaultValue={props.name}
            />
          )}
        </Field>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={props.onClose} disabled={props.isBusy}>
            {words.cancel}
          </button>
          <button type="submit" className="button button-main" disabled={props.isBusy}>
            {props.submit}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
