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

/**
 * Offers the service's ways to sign in: a password, an external provider, or both.
 * @param props.asksTenant whether the person must name the organisation, because several know the provider's address
 */
export function SignInForm(props: {
  readonly returnTo: string
  readonly asksTenant?: boolean
  /** Whether the provider's pages open in a tab of their own, so that this page keeps what was typed. */
  readonly isInOtherTab?: boolean
  readonly onSignedIn: () => void
}) {
  const { signIn, signInAgain } = useWords()
  const methods = useQuery(signInMethodsQuery)
  // Null until the service asks for the organisation.
  const [tenant, setTenant] = useState(props.asksTenant === true ? '' : null)
  return (
    <Loaded query={methods}>
      {({ password, provider }) => (
        <>
          {password ? <PasswordForm tenant={tenant} onTenant={setTenant} onSignedIn={props.onSignedIn} /> : null}
          {password || tenant === null ? null : <TenantField tenant={tenant} onChange={setTenant} />}
          {password && provider !== null ? <p className="or">{signIn.or}</p> : null}
          {provider === null ? null : (
            // A link instead of a form: the page's policy forbids forms to leave the service, even by a redirect.
            <a
              className="button button-block"
              href={providerUrl(props.returnTo, tenant)}
              {...(props.isInOtherTab === true ? { target: '_blank', rel: 'noopener' } : {})}
            >
              {signIn.withProvider(provider.name)}
            </a>
          )}
          {props.isInOtherTab === true && provider !== null ? <p className="help">{signInAgain.inOtherTab}</p> : null}
          {password || provider !== null ? null : <Notice tone="warning">{signIn.noMethod}</Notice>}
        </>
      )}
    </Loaded>
  )
}

function providerUrl(returnTo: string, tenant: string | null): string {
  const named = tenant?.trim() ?? ''
  const query = new URLSearchParams({ return_to: returnTo, ...(named === '' ? {} : { tenant: named }) })
  return `/sign-in/provider?${query.toString()}`
}

function TenantField(props: {
  readonly tenant: string
  readonly fault?: string
  readonly onChange: (tenant: string) => void
}) {
  const { signIn } = useWords()
  return (
    <Field label={signIn.tenant} help={signIn.tenantHelp} fault={props.fault}>
      {(ids) => (
        <input
          {...ids}
          name="tenant"
          type="text"
          autoComplete="organization"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={63}
          ref={focusOnce}
          value={props.tenant}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type Faults = Partial<Record<'email' | 'password' | 'tenant', string>>

function PasswordForm(props: {
  readonly tenant: string | null
  readonly onTenant: (tenant: string) => void
  readonly onSignedIn: () => void
}) {
  const { tenant, onTenant, onSignedIn } = props
  const words = useWords()
  const signIn = useSignIn()
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<Faults>({})
  const { secondsLeft, start: block } = useCountdown()

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget)
    const [email, password] = [textOf(entered, 'email').trim(), textOf(entered, 'password')]
    const named = tenant?.trim() ?? null
    const found = faultsOf({ email, password, tenant: named }, words)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    try {
      await signIn.mutateAsync({ email, password, tenant: named })
      onSignedIn()
    } catch (error) {
      if (!(error instanceof ApiFault)) return
      if (error.is('tenant_needed')) onTenant('')
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
      {tenant === null ? null : <TenantField tenant={tenant} fault={faults.tenant} onChange={onTenant} />}
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

/** Missing input is reported without asking the service. */
function faultsOf(entered: { email: string; password: string; tenant: string | null }, { signIn }: Words): Faults {
  return {
    ...(entered.email === '' ? { email: signIn.required } : {}),
    ...(entered.email !== '' && !/^[^\s@]+@[^\s@]+$/.test(entered.email) ? { email: signIn.notAnAddress } : {}),
    ...(entered.password === '' ? { password: signIn.required } : {}),
    ...(entered.tenant === '' ? { tenant: signIn.required } : {}),
  }
}

const focusOnce = (input: HTMLInputElement | null): void => input?.focus()
