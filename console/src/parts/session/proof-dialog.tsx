import { type SubmitEvent, useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { confirmingPasskey, type Factors, hasPasskeys, NoPasskey, type Proof } from '../../api/factors.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'
import { Dialog } from '../feedback/dialog.tsx'
import { faultText } from '../feedback/fault-text.ts'
import { Field } from '../fields/field.tsx'
import { textOf } from '../editing/form-text.ts'
import { Notice } from '../feedback/notice.tsx'

type Way = 'password' | 'code' | 'recovery_code'

/**
 * Asks the person to prove who they are, and makes a change with the proof.
 * @param props.text what the change does; by default only that the person has to confirm
 * @param props.change makes the change; an error that it throws is shown
 */
export function ProofDialog(props: {
  readonly title?: string
  readonly text?: string
  readonly factors: Factors
  readonly change: (proof: Proof) => Promise<void>
  readonly onClose: () => void
}) {
  const words = useWords()
  const { proof } = words.security
  const { totp, passkeys, recovery_codes_left: left, has_password: hasPassword } = props.factors
  const ways: Way[] = [
    ...(hasPassword ? (['password'] as const) : []),
    ...(totp === null ? [] : (['code'] as const)),
    ...(left === 0 ? [] : (['recovery_code'] as const)),
  ]
  const names = { password: proof.password, code: proof.code, recovery_code: proof.recoveryCode }
  const [way, setWay] = useState<Way | null>(ways[0] ?? null)
  const [isBusy, setBusy] = useState(false)
  const [isEmpty, setEmpty] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const mayUsePasskey = passkeys.length > 0 && hasPasskeys()

  const make = async (proofOf: () => Promise<Proof>): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await props.change(await proofOf())
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const entered = textOf(new FormData(event.currentTarget), 'proof')
    setEmpty(entered.trim() === '')
    if (way !== null && entered.trim() !== '') void make(() => Promise.resolve({ [way]: entered }))
  }
  return (
    <Dialog title={props.title ?? proof.title} onClose={props.onClose} isBusy={isBusy}>
      <p className="dialog-text">{props.text ?? proof.text}</p>
      {error === null ? null : (
        <Notice tone="danger" role="alert">
          {faultOf(error, words)}
        </Notice>
      )}
      <form className="form" onSubmit={submit} noValidate>
        {ways.length < 2 ? null : (
          <div className="choices">
            {ways.map((each) => (
              <button
                key={each}
                type="button"
                className="button button-small"
                aria-pressed={each === way}
                onClick={() => {
                  setWay(each)
                  setEmpty(false)
                  setError(null)
                }}
              >
                {names[each]}
              </button>
            ))}
          </div>
        )}
        {way === null ? null : (
          <Field key={way} label={names[way]} fault={isEmpty ? words.signIn.required : null}>
            {(ids) => (
              <input
                {...ids}
                name="proof"
                type={way === 'password' ? 'password' : 'text'}
                autoComplete={way === 'password' ? 'current-password' : way === 'code' ? 'one-time-code' : 'off'}
                inputMode={way === 'code' ? 'numeric' : 'text'}
                spellCheck={false}
                autoCapitalize="none"
                required
                maxLength={way === 'password' ? 1_000 : 100}
              />
            )}
          </Field>
        )}
        {way === null && !mayUsePasskey ? <Notice tone="warning">{proof.nothing}</Notice> : null}
        {mayUsePasskey ? (
          <button
            type="button"
            className="button"
            disabled={isBusy}
            onClick={() => void make(async () => ({ passkey: await confirmingPasskey() }))}
          >
            {proof.byPasskey}
          </button>
        ) : null}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={props.onClose} disabled={isBusy}>
            {words.cancel}
          </button>
          {way === null ? null : (
            <button type="submit" className="button button-main" disabled={isBusy}>
              {proof.confirm}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}

/** Says what is wrong with a proof, by its kind. */
function faultOf(error: unknown, words: Words): string {
  const { step, proof } = words.security
  if (error instanceof NoPasskey) return step.cancelled
  if (!(error instanceof ApiFault)) return faultText(error, words)
  if (error.is('proof_needed')) return proof.nothing
  if (!error.is('proof_wrong')) return faultText(error, words)
  switch (error.details[0]?.loc.at(-1)) {
    case 'password':
      return proof.wrongPassword
    case 'code':
      return step.wrongCode
    case 'recovery_code':
      return step.wrongRecoveryCode
    default:
      return step.wrongPasskey
  }
}
