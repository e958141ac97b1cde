import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf } from '../../api/client.ts'
import { operatorApi } from '../../api/operator.ts'
import { Form } from '../../parts/editing/form.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { SaveBar } from '../../parts/editing/save-bar.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useEdits } from '../../parts/editing/use-edits.ts'
import { quotasQuery } from '../operator/queries.ts'
import { useOperatorWords } from '../operator/words.ts'
import { SettingsGroup } from '../settings/group.tsx'
import { QuotaUse } from '../system/quota-use.tsx'
import { useSystemWords } from '../system/words.ts'

type Quotas = AnswerOf<'/api/operator/tenants/{tenant_id}/quotas', 'get'>
type Bounds = Pick<Quotas, 'entries' | 'bytes' | 'requests_per_minute' | 'embedding_tokens_per_month'>

const FIELDS = ['entries', 'bytes', 'requests_per_minute', 'embedding_tokens_per_month'] as const
/** Largest quota that the service takes. */
const QUOTA_MAX = 1e15
const MEGABYTE = 1e6

/** Shows the quotas of a tenant, beside its use. */
export function QuotasSection({ tenantId }: { readonly tenantId: string }) {
  const quotas = useQuery(quotasQuery(tenantId))
  const { tenant: words } = useOperatorWords()
  return (
    <QueryView query={quotas}>
      {(data) => (
        <div className="tenant-quotas">
          <Section title={words.quotaUse}>
            <QuotaUse quotas={data} />
          </Section>
          <QuotasForm tenantId={tenantId} quotas={data} />
        </div>
      )}
    </QueryView>
  )
}

/** Asks for quotas, and sends the changed ones alone, so that those that another operator set at the same time stay. */
function QuotasForm({ tenantId, quotas }: { readonly tenantId: string; readonly quotas: Quotas }) {
  const { tenant: words } = useOperatorWords()
  const { quotas: names } = useSystemWords()
  const queries = useQueryClient()
  const { entries, bytes, requests_per_minute: perMinute, embedding_tokens_per_month: tokens } = quotas
  const stored: Bounds = { entries, bytes, requests_per_minute: perMinute, embedding_tokens_per_month: tokens }
  const { values, edits, edit, sent } = useEdits(stored)
  const save = useMutation({
    mutationFn: (changes: Partial<Bounds>) =>
      answerOf(
        operatorApi.PATCH('/api/operator/tenants/{tenant_id}/quotas', {
          params: { path: { tenant_id: tenantId } },
          body: changes,
        }),
      ),
    onSuccess: (answer, changes) => {
      queries.setQueryData(quotasQuery(tenantId).queryKey, answer)
      void queries.invalidateQueries({ queryKey: ['operator', 'log'] })
      sent(changes)
      sayDone(words.saved)
    },
  })
  const discard = (): void => {
    edit(stored)
    save.reset()
  }
  const countField = (field: keyof Bounds, label: string, min: number) => (
    <NumberField
      name={field}
      label={label}
      min={min}
      max={QUOTA_MAX}
      value={values[field] ?? Number.NaN}
      onChange={(most) => edit({ [field]: Number.isNaN(most) ? null : most })}
    />
  )
  return (
    <div className="settings-form">
      <Form names={FIELDS} error={save.error} isGuarded={false} onSubmit={() => save.mutate(edits)}>
        <SettingsGroup title={words.quotas} help={words.quotasHelp}>
          {countField('entries', names.entries, 0)}
          <NumberField
            name="bytes"
            label={names.bytes}
            help={names.bytesHelp}
            unit={words.megabytes}
            min={0}
            max={QUOTA_MAX / MEGABYTE}
            step={0.01}
            value={inMegabytes(values.bytes)}
            onChange={(most) => edit({ bytes: Number.isNaN(most) ? null : Math.round(most * MEGABYTE) })}
          />
          {countField('embedding_tokens_per_month', names.tokens, 0)}
          {countField('requests_per_minute', names.requests, 1)}
        </SettingsGroup>
        <SaveBar count={Object.keys(edits).length} isSaving={save.isPending} onDiscard={discard} />
      </Form>
    </div>
  )
}

/** Returns bytes as the field shows them. Rounded, so that an untouched field does not count as changed. */
function inMegabytes(bytes: number | null): number {
  return bytes === null ? Number.NaN : Math.round((bytes / MEGABYTE) * 100) / 100
}
