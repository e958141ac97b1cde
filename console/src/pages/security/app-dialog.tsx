import { lazy, type SubmitEvent, Suspense, useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { type TotpSetup, useConfirmTotp } from '../../api/factors.ts'
import { lazyFile } from '../../api/lazy-file.ts'
import { useWords } from '../../i18n/language.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Field } from '../../parts/fields/field.tsx'
import { textOf } from '../../parts/editing/form-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'

/** The picture, fetched when it is first shown: few people set up an app on the day that they open this page. */
const QrCode = lazy(async () => ({ default: (await lazyFile(() => import('./qr-code.tsx'))).QrCode }))

/** Shows the key of a new authenticator app and asks for its first code. */
export function AppDialog(props: {
  readonly setup: TotpSetup
  readonly onAdded: (recoveryCodes: readonly string[]) => void
  readonly onClose: () => void
}) {
  const words = useWords()
  const { app } = words.security
  const confirm = useConfirmTotp()
  const [isEmpty, setEmpty] = useState(false)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const code = textOf(new FormData(event.currentTarget), 'code').trim()
    setEmpty(code === '')
    if (code !== '') confirm.mutate(code, { onSuccess: ({ recovery_codes: codes }) => props.onAdded(codes) })
  }
  const { error } = confirm
  return (
    <Dialog title={app.add} onClose={props.onClose} isBusy={confirm.isPending}>
      <p className="dialog-text">{app.scan}</p>
      <Suspense fallback={<div className="qr-code qr-code-coming" />}>
        <QrCode text={props.setup.uri} label={app.picture} />
      </Suspense>
      <form className="form" onSubmit={submit} noValidate>
        <p>
          {app.secret} <code className="totp-secret">{props.setup.secret}</code>
        </p>
        {error === null ? null : (
          <Notice tone="danger" role="alert">
            {error instanceof ApiFault && error.is('code_wrong')
              ? app.wrong
              : error instanceof ApiFault && (error.is('not_begun') || error.status === 409)
                ? app.begunAnew
                : faultText(error, words)}
          </Notice>
        )}
        <Field label={app.code} help={app.codeHelp} fault={isEmpty ? words.signIn.required : null}>
          {(ids) => (
            <input
              {...ids}
              name="code"
              type="text"
              className="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              maxLength={100}
            />
          )}
        </Field>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={props.onClose} disabled={confirm.isPending}>
            {words.cancel}
          </button>
          <button type="submit" className="button button-main" disabled={confirm.isPending}>
            {app.confirm}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
