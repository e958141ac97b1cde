import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { hasPasskeys, type SecondStep } from '../../api/factors.ts'
import { type Credential, useBegin } from '../../api/session.ts'
import { type SignedIn, signInMethodsQuery, useSignIn } from '../../api/sign-in.ts'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'
import { faultText } from '../feedback/fault-text.ts'
import { Field } from '../fields/field.tsx'
import { textOf } from '../editing/form-text.ts'
import { QueryView } from '../feedback/query-view.tsx'
import { Notice } from '../feedback/notice.tsx'
import { useCountdown } from './use-countdown.ts'
import { setUpPath } from './set-up-path.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { SecondStepForm } from './second-step.tsx'
import { ThrottleNotice } from './throttle-notice.tsx'

/**
 * Signs a person in: by one of the service's ways, then by a second factor if they have one. A person who has to set
 * one up is led there first.
 * @param props.asksTenant whether the person must name the organisation, because several know the provider's address
 * @param props.waiting sign-in that waits for its second factor already
 */
export function SignInForm(props: {
  readonly returnTo: string
  readonly asksTenant?: boolean
  /** Whether the provider's pages open in a tab of their own, so that this page keeps its typed text. */
  readonly isInOtherTab?: boolean
  readonly waiting?: SecondStep | null
  readonly onSignedIn: () => void
}) {
  const { security } = useWords()
  const begin = useBegin()
  const [step, setStep] = useState<SecondStep | null>(props.waiting ?? null)
  const [isOver, setOver] = useState(false)
  const [resetCredential, setResetCredential] = useState<Credential | null>(null)
  const goOn = (credential: Credential): void => {
    if (credential.second_factor === 'set_up') {
      // A full page load, so that pages which wait for a session do not take this one for a complete one.
      window.location.assign(setUpPath(props.returnTo))
      return
    }
    begin(credential)
    props.onSignedIn()
  }
  const done = (credential: Credential): void => {
    if (credential.factors_reset_at === undefined) goOn(credential)
    else setResetCredential(credential)
  }
  const again = (hasEnded: boolean): void => {
    setStep(null)
    setOver(hasEnded)
  }
  if (resetCredential !== null)
    return <ResetNotice at={resetCredential.factors_reset_at ?? ''} onRead={() => goOn(resetCredential)} />
  if (step !== null) {
    return (
      <>
        <p>{security.step.title}</p>
        <SecondStepForm step={step} onDone={done} onOver={() => again(true)} onBack={() => again(false)} />
      </>
    )
  }
  const take = (signedIn: SignedIn): void => {
    if ('step' in signedIn) setStep(signedIn.step)
    else done(signedIn.credential)
  }
  return (
    <>
      {isOver ? (
        <Notice tone="warning" role="alert">
          {security.step.over}
        </Notice>
      ) : null}
      <FirstStep
        returnTo={props.returnTo}
        asksTenant={props.asksTenant === true}
        isInOtherTab={props.isInOtherTab === true}
        onAnswer={take}
        onPasskey={done}
      />
    </>
  )
}

/** Tells a person that an administrator ended their second factors. */
function ResetNotice({ at, onRead }: { readonly at: string; readonly onRead: () => void }) {
  const { words, formats } = useLanguage()
  const { step, goOn } = words.security
  return (
    <>
      <Notice tone="warning" role="alert">
        <p>
          <strong>{step.resetTitle}</strong>
        </p>
        <p>{step.resetText(formats.day(at))}</p>
      </Notice>
      <button type="button" className="button button-main button-block" onClick={onRead}>
        {goOn}
      </button>
    </>
  )
}

function FirstStep(props: {
  readonly returnTo: string
  readonly asksTenant: boolean
  readonly isInOtherTab: boolean
  readonly onAnswer: (signedIn: SignedIn) => void
  readonly onPasskey: (credential: Credential) => void
}) {
  const { signIn, signInAgain } = useWords()
  const methods = useQuery(signInMethodsQuery)
  // Null until the service asks for the organisation.
  const [tenant, setTenant] = useState(props.asksTenant ? '' : null)
  return (
    <QueryView query={methods}>
      {({ password, provider, forgotten_password: hasMail }) => (
        <>
          {password ? <PasswordForm tenant={tenant} onTenant={setTenant} onAnswer={props.onAnswer} /> : null}
          {password || tenant === null ? null : <TenantField tenant={tenant} onChange={setTenant} />}
          {password && (provider !== null || hasPasskeys()) ? <p className="or">{signIn.or}</p> : null}
          {hasPasskeys() ? <PasskeyButton onDone={props.onPasskey} /> : null}
          {provider === null ? null : (
            // A link instead of a form: the page's policy forbids forms to leave the service, even by a redirect.
            <a
              className="button button-block"
              href={providerUrl(props.returnTo, tenant)}
              {...(props.isInOtherTab ? { target: '_blank', rel: 'noopener' } : {})}
            >
              {signIn.withProvider(provider.name)}
            </a>
          )}
          {props.isInOtherTab && provider !== null ? <p className="help">{signInAgain.inOtherTab}</p> : null}
          {password && hasMail === true ? (
            <p className="aside">
              <a
                href="/console/forgotten-password"
                {...(props.isInOtherTab ? { target: '_blank', rel: 'noopener' } : {})}
              >
                {signIn.forgotten}
              </a>
            </p>
          ) : null}
          {password || provider !== null ? null : <Notice tone="warning">{signIn.noMethod}</Notice>}
        </>
      )}
    </QueryView>
  )
}

function providerUrl(returnTo: string, tenant: string | null): string {
  const name = tenant?.trim() ?? ''
  const query = new URLSearchParams({ return_to: returnTo, ...(name === '' ? {} : { tenant: name }) })
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
  readonly onAnswer: (signedIn: SignedIn) => void
}) {
  const { tenant, onTenant, onAnswer } = props
  const words = useWords()
  const signIn = useSignIn()
  const form = useRef<HTMLFormElement>(null)
  const [faults, setFaults] = useState<Faults>({})
  const { secondsLeft, start: block } = useCountdown()

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget)
    const [email, password] = [textOf(entered, 'email').trim(), textOf(entered, 'password')]
    const tenantName = tenant?.trim() ?? null
    const entryFaults = faultsOf({ email, password, tenant: tenantName }, words)
    setFaults(entryFaults)
    const [first] = Object.keys(entryFaults)
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name=${first}]`)?.focus()
      return
    }
    try {
      onAnswer(await signIn.mutateAsync({ email, password, tenant: tenantName }))
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
  if (error instanceof ApiFault && error.status === 429) return <ThrottleNotice secondsLeft={secondsLeft ?? 0} />
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

/** Returns the faults of the entered values. Missing input is reported without asking the service. */
function faultsOf(entered: { email: string; password: string; tenant: string | null }, { signIn }: Words): Faults {
  return {
    ...(entered.email === '' ? { email: signIn.required } : {}),
    ...(entered.email !== '' && !/^[^\s@]+@[^\s@]+$/.test(entered.email) ? { email: signIn.notAnAddress } : {}),
    ...(entered.password === '' ? { password: signIn.required } : {}),
    ...(entered.tenant === '' ? { tenant: signIn.required } : {}),
  }
}

const focusOnce = (input: HTMLInputElement | null): void => input?.focus()
