import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type AnswerOf, ApiFault } from '../../api/client.ts'
import { passwordLinkQuery, useSetPassword } from '../../api/links.ts'
import { sessionQuery } from '../../api/session.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { NewPasswordField, passwordFault, passwordRefusal } from '../../parts/session/new-password-field.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { usePasswordLinkWords } from './words.ts'

/** Asks for the new password of the person that the link belongs to. */
export function NewPasswordForm(props: {
  readonly token: string
  readonly link: AnswerOf<'/api/session/new-password/show', 'post'>
}) {
  const { token, link } = props
  const text = usePasswordLinkWords()
  const words = useWords()
  const set = useSetPassword()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  const [isChecked, setChecked] = useState(false)
  const fault = passwordFault(password, words)
  if (set.isSuccess) {
    return (
      <Page title={text.done} intro={text.doneHelp}>
        <Link to="/console/sign-in" className="button button-main button-block">
          {text.signIn}
        </Link>
      </Page>
    )
  }
  const submit = (form: HTMLFormElement): void => {
    setChecked(true)
    if (fault !== null) form.querySelector<HTMLInputElement>('[name=password]')?.focus()
    else if (!set.isPending)
      set.mutate(
        { token, password },
        {
          // The link ends every session, also one in this browser.
          onSuccess: () => queries.setQueryData(sessionQuery.queryKey, null),
          onError: (error) => {
            if (error instanceof ApiFault && error.status === 404)
              void queries.invalidateQueries({ queryKey: passwordLinkQuery(token).queryKey })
          },
        },
      )
  }
  return (
    <Page title={text.title} intro={text.intro(link.tenant_name)}>
      <Form
        names={['password']}
        error={set.error}
        say={(path, { type }) => (path === 'password' ? passwordRefusal(type, words) : null)}
        onSubmit={submit}
      >
        <TextField name="email" label={text.email} type="email" autoComplete="username" value={link.email} isReadOnly />
        <NewPasswordField name="password" value={password} onChange={setPassword} fault={isChecked ? fault : null} />
        <Button kind="main" type="submit" isBlock isPending={set.isPending}>
          {set.isPending ? words.saving : text.submit}
        </Button>
      </Form>
    </Page>
  )
}
