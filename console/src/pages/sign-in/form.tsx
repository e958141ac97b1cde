import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { signInMethodsQuery, useSignIn } from '../../api/session.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'
import { faultText } from '../../parts/fault-text.ts'
import { Field } from '../../parts/field.tsx'
import { textOf } from '../../parts/form-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { useCountdown } from '../../parts/use-countdown.ts'
import { Throttled } from './throttled.tsx'

/** The ways to sign in that the service offers: a password, an outside provider, or both. */
export function SignInForm(props: { readonly returnTo: string; readonly onSignedIn: () => void }) {
  const { signIn } = useWords()
  const methods = useQuery(signInMethodsQuery)
  return (
    <Loaded query={methods}>
      {({ password, provider }) => (
        <>
          {password ? <PasswordForm onSignedIn={props.onSignedIn} /> : null}
          {password && provider !== null ? <p className="or">{signIn.or}</p> : null}
          {provider === null ? null : (
            <a
              className="button button-block"
              href={`/sign-in/provider?return_to=${encodeURIComponent(props.returnTo)}`}
            >
              {signIn.withProvider(provider.name)}
            </a>
          )}
          {password || provider !== null ? null : <Notice tone="warning">{signIn.noMethod}</Notice>}
        </>
      )}
    </Loaded>
  )
}

type Faults = Partial<Record<'email' | 'password' | 'tenant', string>>

function PasswordForm({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const words = useWords()
  const signIn = useSignIn()
  const form = useRef<HTMLFormElement>(null)
  const [needsTenant, setNeedsTenant] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const { secondsLeft, start: block } = useCountdown()

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget)
    const [email, password] = [textOf(entered, 'email').trim(), textOf(entered, 'password')]
    const tenant = textOf(entered, 'tenant').trim()
    const found = faultsOf({ email, password, ...(needsTenant ? { tenant } : {}) }, words)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    try {
      await signIn.mutateAsync({ email, password, tenant: tenant === '' ? null : tenant })
      onSignedIn()
    } catch (error) {
      if (!(error instanceof ApiFault)) return
      if (error.is('tenant_needed')) setNeedsTenant(true)
      if (error.status === 429) block(error.retryAfterSeconds ?? 1)
    }
  }

  const isBlocked = secondsLeft !== null && secondsLeft > 0
  return (
    <form ref={form} className="form" onSubmit={(event) => void submit(event)} noValidate>
      <Outcome error={signIn.error} secondsLeft={secondsLeft} />
      <Field label={words.signIn.email} fault={faults.email}>
        {(ids) => <input {...ids} name="email" type="email" autoComplete="username" required maxLength={401} />}
      </Field>
      <Field label={words.signIn.password} fault={faults.password}>
        {(ids) => <input {...ids} name="password" type="password" autoComplete="current-password" required />}
      </Field>
      {needsTenant ? (
        <Field label={words.signIn.tenant} help={words.signIn.tenantHelp} fault={faults.tenant}>
          {(ids) => (
            <input
              {...ids}
              name="tenant"
              type="text"
              autoComplete="organization"
              autoCapitalize="none"
              spellCheck={false}
              required
              ref={focusOnce}
            />
          )}
        </Field>
      ) : null}
      <button type="submit" className="button button-main button-block" disabled={signIn.isPending || isBlocked}>
        {signIn.isPending ? words.signIn.busy : words.signIn.submit}
      </button>
    </form>
  )
}

function Outcome({ error, secondsLeft }: { readonly error: Error | null; readonly secondsLeft: number | null }) {
  const words = useWords()
  if (error === null) return null
  if (error instanceof ApiFault && error.status === 429) return <Throttled secondsLeft={secondsLeft ?? 0} />
  const isTenantNeeded = error instanceof ApiFault && error.is('tenant_needed')
  return (
    <Notice tone={isTenantNeeded ? 'plain' : 'danger'} role="alert">
      {isTenantNeeded
        ? words.signIn.tenantNeeded
        : error instanceof ApiFault && error.status === 401
          ? words.signIn.wrong
          : faultText(error, words)}
    </Notice>
  )
}

/** What is missing can be said without asking the service. */
function faultsOf(entered: { email: string; password: string; tenant?: string }, { signIn }: Words): Faults {
  return {
    ...(entered.email === '' ? { email: signIn.required } : {}),
    ...(entered.email !== '' && !/^[^\s@]+@[^\s@]+$/.test(entered.email) ? { email: signIn.notAnAddress } : {}),
    ...(entered.password === '' ? { password: signIn.required } : {}),
    ...(entered.tenant === '' ? { tenant: signIn.required } : {}),
  }
}

const focusOnce = (input: HTMLInputElement | null): void => input?.focus()
