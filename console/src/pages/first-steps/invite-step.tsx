import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { type SentInvitation, useInvite } from './queries.ts'
import { useFirstStepsWords } from './words.ts'

const ROLES = ['reader', 'editor', 'admin'] as const

/** Matches texts that may be addresses; the service checks them in full. */
const ADDRESS = /^\S+@\S+$/

/** Invites a person by mail, or by a link to pass on. */
export function InviteStep() {
  const { roles } = useWords()
  const words = useFirstStepsWords()
  const inviting = useInvite()
  const [sent, setSent] = useState<SentInvitation | null>(null)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<(typeof ROLES)[number]>('editor')
  const [isChecked, setChecked] = useState(false)
  const isThere =
    inviting.error instanceof ApiFault &&
    inviting.error.status === 409 &&
    inviting.error.onField('email') !== null &&
    inviting.variables?.email === email.trim()
  const send = (): void => {
    setChecked(true)
    if (!ADDRESS.test(email.trim())) return
    inviting.mutate({ email: email.trim(), role }, { onSuccess: setSent })
  }
  const again = (): void => {
    setSent(null)
    setEmail('')
    setChecked(false)
  }
  if (sent !== null) {
    return (
      <div className="stack">
        <Notice tone="success" role="status">
          {sent.link === null ? words.mailed(sent.email) : words.linkFor(sent.email)}
        </Notice>
        {sent.link === null ? null : <CodeBlock label={words.link} text={sent.link} copy={words.copyLink} />}
        <div className="row">
          <Button onPress={again}>{words.another}</Button>
        </div>
      </div>
    )
  }
  return (
    <Form names={['email', 'role']} error={isThere ? null : inviting.error} onSubmit={send}>
      <p>{words.inviteText}</p>
      <TextField
        label={words.email}
        name="email"
        inputMode="email"
        value={email}
        onChange={setEmail}
        autoComplete="off"
        fault={isChecked && !ADDRESS.test(email.trim()) ? words.emailNeeded : isThere ? words.isThere : null}
      />
      <Select
        label={words.role}
        name="role"
        chosen={role}
        choices={ROLES.map((id) => ({ id, name: roles[id], help: words.roles[id] }))}
        onChoose={setRole}
      />
      <div className="row">
        <Button kind="main" type="submit" isPending={inviting.isPending}>
          {words.invite}
        </Button>
      </div>
    </Form>
  )
}
