import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, ApiFault } from '../../api/client.ts'
import { operatorApi } from '../../api/operator.ts'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { differingFields } from '../../parts/editing/differing-fields.ts'
import { Form } from '../../parts/editing/form.tsx'
import { SaveBar } from '../../parts/editing/save-bar.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Moment } from '../../parts/text/time.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { conflictIn } from '../operator/conflict.ts'
import { showTenant, type Tenant } from '../operator/queries.ts'
import { useOperatorWords } from '../operator/words.ts'
import { AccessFields, EngineField, SearchFields } from '../settings/fields.tsx'
import { SettingsGroup } from '../settings/group.tsx'
import { LanguageField } from '../settings/language-field.tsx'
import type { Settings } from '../settings/queries.ts'
import { RetentionFields } from '../settings/retention-fields.tsx'

type Identity = Pick<Tenant, 'name' | 'host' | 'reference'>

/**
 * Asks for the values that an operator sets of a tenant. Sends the changed ones alone, so that those that the tenant's
 * administrators set at the same time stay.
 */
export function SettingsForm({ tenant }: { readonly tenant: Tenant }) {
  const { tenant: words } = useOperatorWords()
  const queries = useQueryClient()
  const [identity, setIdentity] = useState<Partial<Identity>>({})
  const [settings, setSettings] = useState<Partial<Settings>>({})
  const values = { ...tenant.settings, ...settings }
  const changes = { ...differingFields(identity, tenant), settings: differingFields(settings, tenant.settings) }
  const count = Object.keys(changes).length - 1 + Object.keys(changes.settings).length
  const save = useMutation({
    mutationFn: (sent: typeof changes) =>
      answerOf(
        operatorApi.PATCH('/api/operator/tenants/{tenant_id}', {
          params: { path: { tenant_id: tenant.id } },
          body: sent,
        }),
      ),
    onSuccess: (answer, sent) => {
      showTenant(queries, answer)
      // Values that were changed while the request was on its way are not saved yet.
      setIdentity((now) => differingFields(differingFields(now, sent), answer))
      setSettings((now) => differingFields(differingFields(now, sent.settings), answer.settings))
      sayDone(words.saved)
    },
  })
  const discard = (): void => {
    setIdentity({})
    setSettings({})
    save.reset()
  }
  const conflict = conflictIn(save.error)
  const isHostWrong = save.error instanceof ApiFault && save.error.is('string_pattern_mismatch')
  const hostFault = conflict === 'host' ? words.hostTaken : isHostWrong ? words.hostForm : null
  const change = (more: Partial<Settings>): void => setSettings((before) => ({ ...before, ...more }))
  const changeIdentity = (more: Partial<Identity>): void => setIdentity((before) => ({ ...before, ...more }))
  const emptyIsNone = (text: string): string | null => (text === '' ? null : text)
  return (
    <div className="settings-form">
      <Form
        names={['name', 'host', 'reference', ...Object.keys(values)]}
        error={conflict !== null || isHostWrong ? null : withoutPrefix(save.error)}
        isGuarded={false}
        onSubmit={() => save.mutate(changes)}
      >
        <SettingsGroup title={words.organisation} help={words.organisationHelp}>
          <TextField
            name="name"
            label={words.name}
            value={identity.name ?? tenant.name}
            onChange={(text) => changeIdentity({ name: text })}
          />
          <TextField
            name="host"
            label={words.host}
            help={words.hostForm}
            fault={hostFault}
            isRequired={false}
            value={(identity.host === undefined ? tenant.host : identity.host) ?? ''}
            onChange={(text) => changeIdentity({ host: emptyIsNone(text) })}
          />
          <TextField
            name="reference"
            label={words.reference}
            fault={conflict === 'reference' ? words.referenceTaken : null}
            isRequired={false}
            value={(identity.reference === undefined ? tenant.reference : identity.reference) ?? ''}
            onChange={(text) => changeIdentity({ reference: emptyIsNone(text) })}
          />
          <LanguageField language={values.language} onChoose={(language) => change({ language })} />
          <DescriptionList
            facts={[
              [words.id, <code key="id">{tenant.id}</code>],
              [words.created, <Moment key="created" iso={tenant.created_at} />],
            ]}
          />
        </SettingsGroup>
        <SearchFields
          settings={values}
          onChange={change}
          engine={<EngineField settings={values} onChange={change} />}
        />
        <AccessFields settings={values} onChange={change} />
        <RetentionFields settings={values} onChange={change} />
        <SaveBar count={count} isSaving={save.isPending} onDiscard={discard} />
      </Form>
    </div>
  )
}

/**
 * Moves faults of settings to the place of the setting, as in the form; the service names the object around them too.
 */
function withoutPrefix(error: unknown): unknown {
  if (!(error instanceof ApiFault)) return error
  const details = error.details.map((detail) =>
    detail.loc[1] === 'settings' ? { ...detail, loc: [detail.loc[0] ?? 'body', ...detail.loc.slice(2)] } : detail,
  )
  // React Aria takes a new error for a new answer, so the same answer leads to the same object.
  const earlier = faultsWithoutPrefix.get(error)
  if (earlier !== undefined) return earlier
  const fault = new ApiFault(new Response(null, { status: error.status }), details)
  faultsWithoutPrefix.set(error, fault)
  return fault
}

const faultsWithoutPrefix = new WeakMap<ApiFault, ApiFault>()
