import { useState } from 'react'
import type { Scope } from '../../../../src/platform/access/scopes.ts'
import type { InvitationOrder } from '../../api/people.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { AccessFields } from './access-fields.tsx'
import { type Access, givableCeilings } from './givable.ts'
import { usePeopleWords } from './words.ts'

const FIELDS = ['email', 'role', 'ceiling']
const HOURS = { day: 24, days3: 72, week: 168, month: 720 } as const
type Expiry = keyof typeof HOURS
const EXPIRIES = ['day', 'days3', 'week', 'month'] as const satisfies readonly Expiry[]

/** Asks for the address, the role and the ceiling of the person to invite. */
export function InviteForm(props: {
  readonly scopes: readonly Scope[]
  readonly error: unknown
  readonly isBusy: boolean
  readonly onInvite: (order: InvitationOrder) => void
  readonly onClose: () => void
}) {
  const words = useWords()
  const { invite } = usePeopleWords()
  const [email, setEmail] = useState('')
  const [access, setAccess] = useState<Access>(() => ({
    role: 'reader',
    ceiling: givableCeilings(props.scopes, 'reader')[0] ?? null,
  }))
  const [expiry, setExpiry] = useState<Expiry>('days3')
  const [isChecked, setChecked] = useState(false)
  const plain = email.trim()
  const fault = plain === '' ? words.signIn.required : /^[^\s@]+@[^\s@]+$/.test(plain) ? null : invite.noAddress
  return (
    <Form
      names={FIELDS}
      error={props.error}
      say={(path, { type }) =>
        path === 'email'
          ? type === 'conflict'
            ? invite.known
            : invite.noAddress
          : type === 'conflict'
            ? invite.many
            : null
      }
      onSubmit={(form) => {
        setChecked(true)
        if (fault !== null) form.querySelector<HTMLInputElement>('[name=email]')?.focus()
        else if (!props.isBusy) props.onInvite({ email: plain, ...access, expires_in_hours: HOURS[expiry] })
      }}
    >
      <TextField
        name="email"
        label={invite.email}
        type="email"
        autoComplete="off"
        maxLength={401}
        value={email}
        onChange={setEmail}
        fault={isChecked ? fault : null}
        isRequired
      />
      <AccessFields access={access} onChange={setAccess} />
      <Select
        label={invite.expiry}
        chosen={expiry}
        choices={EXPIRIES.map((id) => ({ id, name: invite.expiries[id] }))}
        onChoose={setExpiry}
      />
      <div className="dialog-actions">
        <Button onPress={props.onClose} isDisabled={props.isBusy}>
          {words.cancel}
        </Button>
        <Button kind="main" type="submit" isPending={props.isBusy}>
          {props.isBusy ? invite.busy : invite.submit}
        </Button>
      </div>
    </Form>
  )
}
