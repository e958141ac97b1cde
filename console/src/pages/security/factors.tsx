import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import {
  beginPasskey,
  beginTotp,
  type Factors,
  factorsQuery,
  hasPasskeys,
  NoPasskey,
  type Passkey,
  type Proof,
  removePasskey,
  removeTotp,
  renewCodes,
  type TotpSetup,
  useAddPasskey,
  useRefresh,
  useRenamePasskey,
} from '../../api/factors.ts'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Announcement, type Completion } from '../../parts/feedback/announcement.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { AppDialog } from './app-dialog.tsx'
import { CodesDialog } from './codes-dialog.tsx'
import { NameDialog } from './name-dialog.tsx'
import { PasskeyTable } from './passkey-table.tsx'
import { ProofDialog } from '../../parts/session/proof-dialog.tsx'

/** Question before a change: its texts, and the change to make with the proof. */
interface Ask {
  readonly title?: string
  readonly text?: string
  readonly change: (proof: Proof) => Promise<void>
}

type Open =
  | { readonly kind: 'app'; readonly setup: TotpSetup }
  | { readonly kind: 'passkey'; readonly options: Record<string, unknown> }
  | { readonly kind: 'rename'; readonly passkey: Passkey }
  | { readonly kind: 'codes'; readonly codes: readonly string[]; readonly done: string }
  | ({ readonly kind: 'ask' } & Ask)
  | null

/**
 * Shows a person's second factors, to set up and to change.
 * @param props.onSetUp called when the person has set up a factor and has kept the recovery codes
 */
export function FactorSections({ onSetUp }: { readonly onSetUp?: () => void }) {
  const factors = useQuery(factorsQuery)
  return <QueryView query={factors}>{(all) => <Sections factors={all} onSetUp={onSetUp} />}</QueryView>
}

function Sections({ factors, onSetUp }: { readonly factors: Factors; readonly onSetUp?: () => void }) {
  const { words, formats } = useLanguage()
  const { security } = words
  const { app, passkeys, codes } = security
  const refresh = useRefresh()
  const [open, setOpen] = useState<Open>(null)
  const [done, setDone] = useState<Completion | null>(null)
  const [error, setError] = useState<unknown>(null)
  const close = (): void => setOpen(null)
  const finish = (text: string): void => {
    close()
    setDone({ text })
  }
  /** Continues after a factor was added: the first factor brings recovery codes to keep. */
  const added = (recoveryCodes: readonly string[], text: string): void => {
    if (recoveryCodes.length > 0) setOpen({ kind: 'codes', codes: recoveryCodes, done: text })
    else finish(text)
  }
  const ask = (what: Ask): void => setOpen({ kind: 'ask', ...what })
  /** Begins to add a factor without a proof, which a sign-in at the provider may be; asks for one where it is not. */
  const begin = async (change: (proof: Proof) => Promise<void>): Promise<void> => {
    setDone(null)
    setError(null)
    try {
      await change({})
    } catch (failure) {
      if (failure instanceof ApiFault && failure.is('proof_needed')) ask({ text: security.proof.adding, change })
      else setError(failure)
    }
  }
  const beginApp = () => begin(async (proof) => setOpen({ kind: 'app', setup: await beginTotp(proof) }))
  const beginKey = () =>
    begin(async (proof) => setOpen({ kind: 'passkey', options: (await beginPasskey(proof)).options }))
  const hasFactor = factors.totp !== null || factors.passkeys.length > 0
  return (
    <>
      <Announcement done={done} />
      {error === null ? null : (
        <Notice tone="danger" role="alert">
          {faultText(error, words)}
        </Notice>
      )}
      <Section title={app.title} help={app.help}>
        <p>{factors.totp === null ? app.none : app.since(formats.day(factors.totp.confirmed_at))}</p>
        <p className="choices">
          <button type="button" className="button" onClick={() => void beginApp()}>
            {factors.totp === null ? app.add : app.replace}
          </button>
          {factors.totp === null ? null : (
            <button
              type="button"
              className="button"
              onClick={() =>
                ask({
                  title: app.removeTitle,
                  text: app.removeText,
                  change: async (proof) => {
                    await removeTotp(proof)
                    await refresh()
                    finish(app.removed)
                  },
                })
              }
            >
              {app.remove}
            </button>
          )}
        </p>
      </Section>
      <Section title={passkeys.title} help={passkeys.help}>
        {factors.passkeys.length === 0 ? (
          <p>{passkeys.none}</p>
        ) : (
          <PasskeyTable
            passkeys={factors.passkeys}
            onRename={(passkey) => setOpen({ kind: 'rename', passkey })}
            onRemove={({ id, name }) =>
              ask({
                title: passkeys.removeTitle,
                text: passkeys.removeText(name),
                change: async (proof) => {
                  await removePasskey(id, proof)
                  await refresh()
                  finish(passkeys.removed(name))
                },
              })
            }
          />
        )}
        {hasPasskeys() ? (
          <p className="choices">
            <button type="button" className="button" onClick={() => void beginKey()}>
              {passkeys.add}
            </button>
          </p>
        ) : (
          <Notice tone="plain">{passkeys.unsupported}</Notice>
        )}
      </Section>
      {hasFactor ? (
        <Section title={codes.title} help={codes.help}>
          <p>
            {codes.left(factors.recovery_codes_left)} {factors.recovery_codes_left < 4 ? codes.few : null}
          </p>
          <p className="choices">
            <button
              type="button"
              className="button"
              onClick={() =>
                ask({
                  title: codes.renew,
                  text: codes.renewText,
                  change: async (proof) => {
                    const renewed = await renewCodes(proof)
                    await refresh()
                    setOpen({ kind: 'codes', codes: renewed.recovery_codes, done: '' })
                  },
                })
              }
            >
              {codes.renew}
            </button>
          </p>
        </Section>
      ) : null}
      {factors.required && hasFactor ? <p className="help">{security.required}</p> : null}
      {open?.kind === 'app' ? (
        <AppDialog setup={open.setup} onAdded={(recoveryCodes) => added(recoveryCodes, app.added)} onClose={close} />
      ) : null}
      {open?.kind === 'passkey' ? <AddPasskey options={open.options} onAdded={added} onClose={close} /> : null}
      {open?.kind === 'rename' ? <Rename passkey={open.passkey} onDone={finish} onClose={close} /> : null}
      {open?.kind === 'ask' ? (
        <ProofDialog title={open.title} text={open.text} factors={factors} change={open.change} onClose={close} />
      ) : null}
      {open?.kind === 'codes' ? (
        <CodesDialog
          codes={open.codes}
          onClose={() => {
            if (open.done === '') close()
            else finish(open.done)
            onSetUp?.()
          }}
        />
      ) : null}
    </>
  )
}

function AddPasskey(props: {
  readonly options: Record<string, unknown>
  readonly onAdded: (recoveryCodes: readonly string[], text: string) => void
  readonly onClose: () => void
}) {
  const words = useWords()
  const { passkeys } = words.security
  const add = useAddPasskey()
  const { error } = add
  const fault =
    error === null
      ? null
      : error instanceof NoPasskey || (error instanceof ApiFault && error.is('passkey_refused'))
        ? error instanceof NoPasskey && error.isKnown
          ? passkeys.known
          : passkeys.refused
        : faultText(error, words)
  return (
    <NameDialog
      title={passkeys.addTitle}
      submit={passkeys.create}
      name=""
      fault={fault}
      isBusy={add.isPending}
      onName={(name) =>
        add.mutate(
          { name, options: props.options },
          { onSuccess: ({ recovery_codes: codes }) => props.onAdded(codes, passkeys.added(name)) },
        )
      }
      onClose={props.onClose}
    />
  )
}

function Rename(props: {
  readonly passkey: Passkey
  readonly onDone: (text: string) => void
  readonly onClose: () => void
}) {
  const words = useWords()
  const { passkeys } = words.security
  const rename = useRenamePasskey()
  return (
    <NameDialog
      title={passkeys.renameTitle}
      submit={passkeys.save}
      name={props.passkey.name}
      fault={rename.error === null ? null : faultText(rename.error, words)}
      isBusy={rename.isPending}
      onName={(name) =>
        rename.mutate({ id: props.passkey.id, name }, { onSuccess: () => props.onDone(passkeys.renamed(name)) })
      }
      onClose={props.onClose}
    />
  )
}
