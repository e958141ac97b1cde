import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForgotten } from '../../api/links.ts'
import { signInMethodsQuery } from '../../api/sign-in.ts'
import { Narrow } from '../../frame/narrow.tsx'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { ToSignIn } from '../../parts/session/to-sign-in.tsx'
import { usePasswordLinkWords } from './words.ts'

/** Asks for a link for a new password by mail. */
export function ForgottenPasswordPage() {
  const words = usePasswordLinkWords()
  const methods = useQuery(signInMethodsQuery)
  const forgotten = useForgotten()
  const [email, setEmail] = useState('')
  return (
    <Narrow>
      {forgotten.isSuccess ? (
        <Page title={words.asked} intro={words.askedHelp(forgotten.variables)}>
          <Button isBlock onPress={() => forgotten.reset()}>
            {words.otherAddress}
          </Button>
        </Page>
      ) : (
        <QueryView query={methods} skeleton={<Page title={words.forgotten} />}>
          {({ forgotten_password: hasMail }) =>
            hasMail === true ? (
              <Page title={words.forgotten} intro={words.forgottenHelp}>
                <AddressForm email={email} onChange={setEmail} forgotten={forgotten} />
              </Page>
            ) : (
              <Page title={words.noMail} intro={words.noMailHelp} />
            )
          }
        </QueryView>
      )}
      <ToSignIn />
    </Narrow>
  )
}

function AddressForm(props: {
  readonly email: string
  readonly onChange: (email: string) => void
  readonly forgotten: ReturnType<typeof useForgotten>
}) {
  const { email, onChange, forgotten } = props
  const words = usePasswordLinkWords()
  const { signIn } = useWords()
  const [isChecked, setChecked] = useState(false)
  const plain = email.trim()
  const fault = plain === '' ? signIn.required : /^[^\s@]+@[^\s@]+$/.test(plain) ? null : signIn.notAnAddress
  return (
    <Form
      names={['email']}
      error={forgotten.error}
      isGuarded={false}
      onSubmit={(form) => {
        setChecked(true)
        if (fault !== null) form.querySelector<HTMLInputElement>('[name=email]')?.focus()
        else if (!forgotten.isPending) forgotten.mutate(plain)
      }}
    >
      <TextField
        name="email"
        label={words.email}
        type="email"
        autoComplete="username"
        maxLength={401}
        value={email}
        onChange={onChange}
        fault={isChecked ? fault : null}
        isRequired
      />
      <Button kind="main" type="submit" isBlock isPending={forgotten.isPending}>
        {forgotten.isPending ? words.asking : words.ask}
      </Button>
    </Form>
  )
}
