import { type SubmitEvent, useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { hasPasskeys, NoPasskey, type SecondStep } from '../../api/factors.ts'
import type { Credential } from '../../api/session.ts'
import { useSecondStep } from '../../api/sign-in.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'
import { faultText } from '../feedback/fault-text.ts'
import { Field } from '../fields/field.tsx'
import { textOf } from '../editing/form-text.ts'
import { Notice } from '../feedback/notice.tsx'
import { useCountdown } from './use-countdown.ts'
import { ThrottleNotice } from './throttle-notice.tsx'

type Method = SecondStep['methods'][number]

/** Asks for the second factor after a right password. Calls `onOver` when the sign-in has to begin again. */
export function SecondStepForm(props: {
  readonly step: SecondStep
  readonly onDone: (credential: Credential) => void
  readonly onOver: () => void
  readonly onBack: () => void
}) {
  const words = useWords()
  const { step: text } = words.security
  const prove = useSecondStep()
  const usable = props.step.methods.filter((each) => each !== 'passkey' || hasPasskeys())
  const [method, setMethod] = useState<Method>(usable[0] ?? 'recovery_code')
  const [isEmpty, setEmpty] = useState(false)
  const { secondsLeft, start: block } = useCountdown()
  const isBlocked = secondsLeft !== null && secondsLeft > 0

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    const entered = textOf(new FormData(form), 'code').trim()
    const isMissing = method !== 'passkey' && entered === ''
    setEmpty(isMissing)
    if (isMissing) {
      form.querySelector<HTMLInputElement>('[name=code]')?.focus()
      return
    }
    try {
      props.onDone(await prove.mutateAsync(method === 'passkey' ? 'passkey' : { [method]: entered }))
    } catch (error) {
      if (!(error instanceof ApiFault)) return
      if (error.is('sign_in_again')) props.onOver()
      if (error.status === 429) block(error.retryAfterSeconds ?? 1)
      form.querySelector<HTMLInputElement>('[name=code]')?.select()
    }
  }
  const others: Readonly<Record<Method, string>> = {
    passkey: text.usePasskey,
    code: text.useCode,
    recovery_code: text.useRecoveryCode,
  }
  const isThrottled = prove.error instanceof ApiFault && prove.error.status === 429
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {isThrottled ? (
        <ThrottleNotice secondsLeft={secondsLeft ?? 0} />
      ) : prove.error === null ? null : (
        <Notice tone="danger" role="alert">
          {wrongText(prove.error, method, words)}
        </Notice>
      )}
      {method === 'passkey' ? (
        <p>{text.passkeyHelp}</p>
      ) : (
        <Field
          key={method}
          label={method === 'code' ? text.code : text.recoveryCode}
          help={method === 'code' ? text.codeHelp : text.recoveryHelp}
          fault={isEmpty ? words.signIn.required : null}
        >
          {(ids) => (
            <input
              {...ids}
              name="code"
              type="text"
              className="code"
              inputMode={method === 'code' ? 'numeric' : 'text'}
              autoComplete={method === 'code' ? 'one-time-code' : 'off'}
              autoCapitalize="none"
              spellCheck={false}
              required
              maxLength={100}
              ref={focusOnce}
            />
          )}
        </Field>
      )}
      <button type="submit" className="button button-main button-block" disabled={prove.isPending || isBlocked}>
        {prove.isPending ? words.signIn.busy : method === 'passkey' ? text.usePasskey : text.submit}
      </button>
      <div className="stacked">
        {usable
          .filter((each) => each !== method)
          .map((each) => (
            <button
              key={each}
              type="button"
              className="button button-block"
              disabled={prove.isPending}
              onClick={() => {
                prove.reset()
                setEmpty(false)
                setMethod(each)
              }}
            >
              {others[each]}
            </button>
          ))}
        <button type="button" className="button button-plain button-block" onClick={props.onBack}>
          {text.back}
        </button>
      </div>
    </form>
  )
}

function wrongText(error: Error, method: Method, words: Words): string {
  const { step } = words.security
  if (error instanceof NoPasskey) return step.cancelled
  if (!(error instanceof ApiFault) || error.status !== 401) return faultText(error, words)
  return { code: step.wrongCode, recovery_code: step.wrongRecoveryCode, passkey: step.wrongPasskey }[method]
}

const focusOnce = (input: HTMLInputElement | null): void => input?.focus()
