import { useState } from 'react'
import {
  isPasswordLength,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../../../../src/platform/access/password-length.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'
import { Checkbox } from '../fields/checkbox.tsx'
import { TextField } from '../fields/text-field.tsx'

/** Asks once for a new password, which the person can make visible to check it. */
export function NewPasswordField(props: {
  readonly name: string
  readonly label?: string
  readonly value: string
  readonly fault: string | null
  readonly onChange: (value: string) => void
}) {
  const { newPassword } = useWords()
  const [isShown, setShown] = useState(false)
  return (
    <div className="close">
      <TextField
        name={props.name}
        label={props.label ?? newPassword.label}
        help={newPassword.help}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        spellCheck="false"
        maxLength={1_000}
        value={props.value}
        onChange={props.onChange}
        fault={props.fault}
        isRequired
      />
      <Checkbox isSelected={isShown} onChange={setShown}>
        {newPassword.show}
      </Checkbox>
    </div>
  )
}

/** Returns the fault of a new password; null when it has the length that the service asks for. */
export function passwordFault(password: string, { newPassword }: Words): string | null {
  return isPasswordLength(password) ? null : newPassword.tooShort(PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX)
}
