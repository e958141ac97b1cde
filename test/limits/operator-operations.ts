import { type Kind, nullable, object, text, whole, word } from './kinds.ts'
import { type Fields, type Operation, pages } from './operation.ts'

const someId = '0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'
const states = word(['active', 'suspended', 'removal_planned', 'removing'])

/** Makes the kind of a text that the rules check further: only these values are accepted. */
const checked = (min: number, max: number, ...accepts: string[]): Kind => ({ ...text(min, max), accepts })

/**
 * Returns the operations of operators. Their credential is not that of a tenant, and their routes read no gateway
 * headers.
 */
export function operatorOperations(): Readonly<Record<string, Operation>> {
  const ofOperators = { isPublic: true }
  const named: Fields = {
    name: text(1, 200),
    host: nullable(checked(1, 259, 'operated.example', `${'h'.repeat(253)}:65535`)),
    reference: nullable(text(1, 200)),
    settings: object({}, { language: 'en' }),
  }
  const oneTenant: Operation = { ...ofOperators, path: { tenant_id: text(1, 63) } }
  const filters: Fields = { state: states, host: text(1, 259), reference: text(1, 200), q: text(1, 200) }
  const days: Fields = { from: checked(1, 10, '2020-02-29'), to: checked(1, 10, '2099-12-31') }
  const quota = (min: number): Kind => nullable(whole(min, 1_000_000_000_000_000))
  const quotas: Fields = {
    entries: quota(0),
    bytes: quota(0),
    requests_per_minute: quota(1),
    embedding_tokens_per_month: quota(0),
  }
  return {
    createTenant: {
      ...ofOperators,
      body: {
        ...named,
        id: checked(1, 63, 'a', 'b'.repeat(63)),
        administrator: nullable(object({ email: 'boss@made.example' })),
        api_key: nullable(object({ name: 'First' })),
      },
      required: ['id'],
      good: { id: 'made' },
      unique: 'id',
      refusals: [409],
    },
    listTenants: {
      ...ofOperators,
      query: { ...pages(['a']), ...filters },
    },
    getTenant: oneTenant,
    changeTenant: { ...oneTenant, body: named, refusals: [409] },
    suspendTenant: oneTenant,
    resumeTenant: { ...oneTenant, refusals: [409] },
    removeTenant: { ...oneTenant, query: { grace_days: whole(0, 365) }, refusals: [409] },
    keepTenant: { ...oneTenant, refusals: [409] },
    getTenantUsage: { ...oneTenant, query: days },
    getTenantQuotas: oneTenant,
    changeTenantQuotas: { ...oneTenant, body: quotas },
    listUsage: { ...ofOperators, query: { ...pages(['a']), ...days, ...filters, format: word(['json', 'csv']) } },
    listOperatorLog: { ...ofOperators, query: pages([1, someId]) },
    getInstallationStatus: ofOperators,
  }
}
