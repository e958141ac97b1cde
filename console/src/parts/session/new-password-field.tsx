import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { passwordsOn } from '../../../../src/platform/access/common-password.ts'
import {
  isPasswordLength,
  normalPassword,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from '../../../../src/platform/access/password-length.ts'
import { lazyFile } from '../../api/lazy-file.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'
import { Checkbox } from '../fields/checkbox.tsx'
import { TextField } from '../fields/text-field.tsx'

/** Characters from which on a password is more than long enough, such as a sentence. */
const LONG = 20

/** The list of the most used passwords. It is large, so it comes once somebody types a password. */
const commonQuery = {
  queryKey: ['common-passwords'],
  queryFn: async () => {
    const { default: list } = await lazyFile(() => import('../../../../src/platform/access/common-passwords.txt?raw'))
    return passwordsOn(list)
  },
  staleTime: Infinity,
}

/** Asks once for a new password, which the person can make visible to check it. Says as they type how good it is. */
export function NewPasswordField(props: {
  readonly name: string
  readonly label?: string
  readonly value: string
  readonly fault: string | null
  readonly onChange: (value: string) => void
}) {
  const { newPassword } = useWords()
  const [isShown, setShown] = useState(false)
  const common = useQuery({ ...commonQuery, enabled: props.value !== '' })
  const isCommon = common.data?.(props.value) ?? false
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
        fault={props.fault ?? (isCommon ? newPassword.common : null)}
        isRequired
      />
      <p className="help" role="status">
        {isCommon ? null : strengthOf(props.value, newPassword)}
      </p>
      <Checkbox isSelected={isShown} onChange={setShown}>
        {newPassword.show}
      </Checkbox>
    </div>
  )
}

/**
 * Says of a password that is not on the list how long it is. Nothing else is measured: rules about kinds of characters
 * make passwords worse, and guesses at how long an attacker needs would promise too much.
 */
function strengthOf(password: string, { strength }: Words['newPassword']): string | null {
  const { length } = Array.from(normalPassword(password))
  if (length === 0) return null
  if (length < PASSWORD_LENGTH_MIN) return strength.short(PASSWORD_LENGTH_MIN - length)
  return length < LONG ? strength.enough : strength.long
}

/** Returns the fault of a new password; null when it has the length that the service asks for. */
export function passwordFault(password: string, { newPassword }: Words): string | null {
  return isPasswordLength(password) ? null : newPassword.tooShort(PASSWORD_LENGTH_MIN, PASSWORD_LENGTH_MAX)
}

/** Returns why the service refused a password. @param type of the fault */
export function passwordRefusal(type: string, words: Words): string | null {
  return type === 'password_common' ? words.newPassword.common : passwordFault('', words)
}
