import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AnswerOf, ApiFault } from '../../api/client.ts'
import { invitationQuery, useAccept } from '../../api/links.ts'
import { sessionQuery } from '../../api/session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { NewPasswordField, passwordFault, passwordRefusal } from '../../parts/session/new-password-field.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { HOME } from '../../parts/session/return-path.ts'
import { TextField } from '../../parts/fields/text-field.tsx'
import { setUpPath } from '../../parts/session/set-up-path.ts'
import { useInvitationWords } from './words.ts'

/** Asks the invited person for a name and a password. */
export function AcceptForm(props: {
  readonly token: string
  readonly invitation: AnswerOf<'/api/session/invitation/show', 'post'>
}) {
  const { token, invitation } = props
  const text = useInvitationWords()
  const { words, formats } = useLanguage()
  const accept = useAccept()
  const queries = useQueryClient()
  const other = useQuery(sessionQuery).data ?? null
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const faults = {
    name: name.trim() === '' ? text.nameNeeded : null,
    password: passwordFault(password, words),
  }
  const lookAgain = (error: Error): void => {
    // The link may have been used or withdrawn meanwhile; the page then says so.
    if (error instanceof ApiFault && error.status === 404)
      void queries.invalidateQueries({ queryKey: invitationQuery(token).queryKey })
  }
  const submit = (form: HTMLFormElement): void => {
    setChecked(true)
    const missing = faults.name !== null ? 'name' : faults.password !== null ? 'password' : null
    if (missing !== null) form.querySelector<HTMLInputElement>(`[name=${missing}]`)?.focus()
    else if (!accept.isPending)
      accept.mutate({ token, name: name.trim(), password }, { onSuccess: goOn, onError: lookAgain })
  }
  return (
    <>
      <p>
        {invitation.invited_by === null
          ? text.byNobody(invitation.tenant_name)
          : text.by(invitation.invited_by, invitation.tenant_name)}
      </p>
      {other === null ? null : <Notice tone="plain">{text.other(nameOf(other.user))}</Notice>}
      <Form
        names={['name', 'password']}
        error={accept.error}
        say={(path, { type }) =>
          path === 'password' ? passwordRefusal(type, words) : type === 'conflict' ? text.taken : null
        }
        onSubmit={submit}
      >
        <TextField
          name="email"
          label={text.email}
          help={text.emailHelp}
          type="email"
          autoComplete="username"
          value={invitation.email}
          isReadOnly
        />
        <TextField
          name="name"
          label={text.name}
          help={text.nameHelp}
          autoComplete="name"
          maxLength={200}
          value={name}
          onChange={setName}
          fault={isChecked ? faults.name : null}
          isRequired
        />
        <NewPasswordField
          name="password"
          label={text.password}
          value={password}
          onChange={setPassword}
          fault={isChecked ? faults.password : null}
        />
        <Button kind="main" type="submit" isBlock isPending={accept.isPending}>
          {accept.isPending ? text.accepting : text.accept}
        </Button>
      </Form>
      <p className="help">{text.about(words.roles[invitation.role], formats.moment(invitation.expires_at))}</p>
    </>
  )
}

/** Goes to the console by a full page load, so that no data of the person who was signed in before stays in memory. */
function goOn({ second_factor: demanded }: AnswerOf<'/api/session/invitation', 'post'>): void {
  window.location.assign(demanded === 'set_up' ? setUpPath(HOME) : HOME)
}
