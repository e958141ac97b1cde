import { type SubmitEvent, useState } from 'react'
import type { Scope } from '../../../../src/platform/access/scopes.ts'
import type { Interaction } from '../../api/interaction.ts'
import { useWords } from '../../i18n/language.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { CeilingField } from '../../parts/session/ceiling-field.tsx'
import { isCeiling, isDangerous, permissionText } from '../../parts/session/permissions.tsx'
import { About } from './about.tsx'
import type { Steps } from './steps.ts'
import { useConsentWords } from './words.ts'

/** Asks for the decision, permission by permission. */
export function ConsentForm({ details, steps }: { readonly details: Interaction; readonly steps: Steps }) {
  const consent = useConsentWords()
  const { client } = details
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(() => initialChoice(details.scopes))
  const [isMissing, setMissing] = useState(false)
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    // A ceiling without another permission allows nothing.
    const hasAction = [...chosen].some((name) => !isCeiling(name))
    setMissing(!hasAction)
    if (hasAction) steps.take({ step: 'consent', scopes: [...chosen] })
  }
  const { isBusy } = steps
  return (
    <Page title={consent.title(client.client_name)} intro={consent.lead(client.client_name)}>
      <Warnings client={client} />
      <About details={details} />
      <form className="form" onSubmit={submit} noValidate>
        <ScopeChoice scopes={details.scopes} chosen={chosen} onChange={setChosen} />
        {isMissing && ![...chosen].some((name) => !isCeiling(name)) ? (
          <Notice tone="danger" role="alert">
            {consent.chooseOne}
          </Notice>
        ) : null}
        <div className="decision">
          <button type="button" className="button" disabled={isBusy} onClick={() => steps.take({ step: 'deny' })}>
            {consent.deny}
          </button>
          <button type="submit" className="button button-main" disabled={isBusy}>
            {isBusy ? consent.busy : consent.allow}
          </button>
        </div>
      </form>
    </Page>
  )
}

/**
 * Returns the scopes that are ticked at the start. People must tick dangerous permissions themselves. The ceiling has
 * no tick and stays as requested.
 */
function initialChoice(scopes: Interaction['scopes']): ReadonlySet<Scope> {
  return new Set(scopes.map(({ name }) => name).filter((name) => isCeiling(name) || !isDangerous(name)))
}

function Warnings({ client }: { readonly client: Interaction['client'] }) {
  const consent = useConsentWords()
  const warnings = [
    ...(client.returns_to.kind === 'machine' ? [consent.warnLoopback] : []),
    ...(client.returns_to.kind === 'app' ? [consent.warnApp] : []),
    ...(client.registration === 'open' ? [consent.warnOpen] : []),
  ]
  if (warnings.length === 0) return null
  return (
    <Notice tone="warning">
      {[...warnings, consent.warnGoOn].map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </Notice>
  )
}

function ScopeChoice(props: {
  readonly scopes: Interaction['scopes']
  readonly chosen: ReadonlySet<Scope>
  readonly onChange: (chosen: ReadonlySet<Scope>) => void
}) {
  const words = useWords()
  const consent = useConsentWords()
  const actions = props.scopes.filter(({ name }) => !isCeiling(name))
  const highest = props.scopes.map(({ name }) => name).find(isCeiling)
  const toggle = (name: Scope): void => {
    const next = new Set(props.chosen)
    if (!next.delete(name)) next.add(name)
    props.onChange(next)
  }
  return (
    <fieldset>
      <legend>{consent.scopes}</legend>
      <p className="help">
        {consent.scopesHelp} {actions.some(({ name }) => isDangerous(name)) ? consent.cautionHelp : null}
      </p>
      {actions.map(({ name }) => (
        <label key={name} className="check">
          <input type="checkbox" checked={props.chosen.has(name)} onChange={() => toggle(name)} />
          <span>
            {permissionText(name, words)}{' '}
            {isDangerous(name) ? <span className="badge badge-caution">{words.caution}</span> : null}
          </span>
        </label>
      ))}
      {highest === undefined ? null : (
        <CeilingField
          ceiling={[...props.chosen].find(isCeiling) ?? highest}
          highest={highest}
          onChoose={(ceiling) =>
            props.onChange(new Set([...[...props.chosen].filter((name) => !isCeiling(name)), ceiling]))
          }
        />
      )}
    </fieldset>
  )
}
