import { useState } from 'react'
import { useChangePassword } from '../../api/own-account.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { NewPasswordField, passwordFault, passwordRefusal } from '../../parts/session/new-password-field.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { useProfileWords } from './words.ts'

const FIELDS = ['old_password', 'new_password']

/** Asks for the present and the new password. */
export function PasswordDialog(props: {
  readonly email: string
  readonly onChanged: () => void
  readonly onClose: () => void
}) {
  const words = useWords()
  const { password: text } = useProfileWords()
  const change = useChangePassword()
  const [old, setOld] = useState('')
  const [fresh, setFresh] = useState('')
  const [isChecked, setChecked] = useState(false)
  const faults = { old_password: old === '' ? text.oldNeeded : null, new_password: passwordFault(fresh, words) }
  const submit = (form: HTMLFormElement): void => {
    setChecked(true)
    const missing = faults.old_password !== null ? 'old_password' : faults.new_password !== null ? 'new_password' : null
    if (missing !== null) form.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus()
    else if (!change.isPending)
      change.mutate({ old_password: old, new_password: fresh }, { onSuccess: props.onChanged })
  }
  return (
    <Dialog title={text.change} onClose={props.onClose} isBusy={change.isPending}>
      <p className="dialog-text">{text.text}</p>
      <Form
        names={FIELDS}
        error={change.error}
        say={(path, { type }) =>
          path === 'new_password'
            ? passwordRefusal(type, words)
            : path === 'old_password'
              ? type === 'conflict'
                ? text.meanwhile
                : text.wrong
              : null
        }
        onSubmit={submit}
      >
        {/* Tells programs that keep passwords whose it is. */}
        <input className="only-read-out" type="email" autoComplete="username" value={props.email} readOnly hidden />
        <TextField
          name="old_password"
          label={text.old}
          type="password"
          autoComplete="current-password"
          maxLength={1_000}
          value={old}
          onChange={setOld}
          fault={isChecked ? faults.old_password : null}
          isRequired
        />
        <NewPasswordField
          name="new_password"
          label={text.new}
          value={fresh}
          onChange={setFresh}
          fault={isChecked ? faults.new_password : null}
        />
        <div className="dialog-actions">
          <Button onPress={props.onClose} isDisabled={change.isPending}>
            {words.cancel}
          </Button>
          <Button kind="main" type="submit" isPending={change.isPending}>
            {change.isPending ? words.saving : words.save}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
