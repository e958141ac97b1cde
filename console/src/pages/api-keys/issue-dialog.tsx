import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import type { Scope } from '../../../../src/platform/access/scopes.ts'
import { ApiFault } from '../../api/client.ts'
import { type IssuedKey, type KeyOrder, useIssueKey } from '../../api/api-keys.ts'
import { factorsQuery } from '../../api/factors.ts'
import { useSession } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Field } from '../../parts/fields/field.tsx'
import { textOf } from '../../parts/editing/form-text.ts'
import { LeaveGuard } from '../../parts/editing/leave-guard.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { PersonPick } from '../../parts/fields/person-pick.tsx'
import { useUnsentText } from '../../parts/editing/use-unsent-text.ts'
import { EXPIRIES, type Expiry, expiryTime } from './expiry.ts'
import { isCeiling } from '../../parts/session/permissions.tsx'
import { ProofDialog } from '../../parts/session/proof-dialog.tsx'
import { PermissionChoice, scopesOfRole } from './permission-choice.tsx'
import { PublishableKeyForm } from './publishable-key-form.tsx'
import { useApiKeysWords } from './words.ts'

type Faults = Partial<Record<'name' | 'scopes' | 'date', string>>

interface Props {
  readonly onIssued: (key: IssuedKey) => void
  readonly onClose: () => void
}

/** Asks for the use of a new key: programs, which keep it secret, or web pages, on which every visitor can read it. */
export function IssueDialog(props: Props) {
  const { issueKey } = useApiKeysWords()
  const [kind, setKind] = useState<'secret' | 'publishable'>('secret')
  const [isBusy, setBusy] = useState(false)
  return (
    <Dialog title={issueKey.title} onClose={props.onClose} isBusy={isBusy} isWide>
      <fieldset>
        <legend>{issueKey.kind}</legend>
        <div className="presets">
          {(['secret', 'publishable'] as const).map((each) => (
            <label key={each} className="preset">
              <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
              <span>
                {issueKey.kinds[each].name}
                <span className="second">{issueKey.kinds[each].help}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {kind === 'secret' ? (
        <SecretKeyForm {...props} onBusy={setBusy} />
      ) : (
        <PublishableKeyForm {...props} onBusy={setBusy} />
      )}
    </Dialog>
  )
}

/** Asks for a new key's purpose, permissions, user and expiry. */
function SecretKeyForm(props: Props & { readonly onBusy: (isBusy: boolean) => void }) {
  const words = useWords()
  const { issueKey } = useApiKeysWords()
  const issue = useIssueKey()
  const session = useSession()
  const form = useRef<HTMLFormElement>(null)
  const [scopes, setScopes] = useState<readonly Scope[]>(() => scopesOfRole('reader'))
  const [userId, setUserId] = useState<string | null>(null)
  const [expiry, setExpiry] = useState<Expiry>('year')
  const [faults, setFaults] = useState<Faults>({})
  /** Order that the service carries out only with a proof of who the person is; null without one. */
  const [unproved, setUnproved] = useState<KeyOrder | null>(null)
  const factors = useQuery({ ...factorsQuery, enabled: unproved !== null })
  const { isTyped, sent } = useUnsentText(form, issue.error)

  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const entered = new FormData(event.currentTarget)
    const valueOf = (name: string): string => textOf(entered, name).trim()
    const expiresAt = expiryTime(expiry, valueOf('date'), Date.now())
    const isForOther = userId !== null && userId !== session.user.id
    // Private notes belong to their owner, so a key for another person cannot open them.
    const grantedScopes = scopes.filter((scope) => scope !== 'knowledge:personal' || !isForOther)
    const entryFaults: Faults = {
      ...(valueOf('name') === '' ? { name: issueKey.nameNeeded } : {}),
      ...(grantedScopes.every(isCeiling) ? { scopes: issueKey.permissionNeeded } : {}),
      ...(expiresAt === undefined ? { date: issueKey.dateNeeded } : {}),
    }
    setFaults(entryFaults)
    const [first] = Object.keys(entryFaults)
    if (first !== undefined) {
      form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
      return
    }
    const order: KeyOrder = {
      name: valueOf('name'),
      scopes: grantedScopes,
      user_id: userId,
      expires_at: expiresAt ?? null,
    }
    props.onBusy(true)
    sent()
    issue.mutate(order, {
      onSuccess: props.onIssued,
      onError: (error) => {
        if (error instanceof ApiFault && error.is('proof_needed')) setUnproved(order)
      },
      onSettled: () => props.onBusy(false),
    })
  }

  const nameFault = faults.name ?? (issue.error instanceof ApiFault ? issue.error.onField('name') : null)
  return (
    <>
      <form ref={form} className="form" onSubmit={submit} noValidate>
        {issue.isError && unproved === null ? (
          <Notice tone="danger" role="alert">
            {faultText(issue.error, words)}
          </Notice>
        ) : null}
        <Field label={issueKey.name} help={issueKey.nameHelp} fault={nameFault}>
          {(ids) => <input {...ids} name="name" type="text" maxLength={200} autoComplete="off" required />}
        </Field>
        <PermissionChoice scopes={scopes} fault={faults.scopes ?? null} onChange={setScopes} />
        <PersonPick
          label={issueKey.user}
          help={issueKey.userHelp}
          nobody={issueKey.noUser}
          isActive
          chosen={userId}
          onChoose={setUserId}
        />
        <div className="side-by-side">
          <Field label={issueKey.expiry}>
            {(ids) => (
              <select {...ids} value={expiry} onChange={(event) => setExpiry(event.target.value as Expiry)}>
                {EXPIRIES.map((each) => (
                  <option key={each} value={each}>
                    {issueKey.expiries[each]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {expiry === 'date' ? (
            <Field label={issueKey.date} fault={faults.date}>
              {(ids) => <input {...ids} name="date" type="date" required />}
            </Field>
          ) : null}
        </div>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={props.onClose} disabled={issue.isPending}>
            {words.cancel}
          </button>
          <button type="submit" className="button button-main" disabled={issue.isPending}>
            {issue.isPending ? issueKey.busy : issueKey.submit}
          </button>
        </div>
        <LeaveGuard isNeeded={isTyped} />
      </form>
      {/* Outside of the form: React passes the submission of a dialog on to the form around it. */}
      {unproved === null || factors.data === undefined ? null : (
        <ProofDialog
          text={issueKey.proof}
          factors={factors.data}
          change={async (confirmation) => props.onIssued(await issue.mutateAsync({ ...unproved, confirmation }))}
          onClose={() => {
            issue.reset()
            setUnproved(null)
          }}
        />
      )}
    </>
  )
}
