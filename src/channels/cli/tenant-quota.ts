import type { Quotas } from '../../platform/access/caller.ts'
import { OPERATOR } from '../../platform/audit/audit.ts'
import { recordOperation } from '../../identity/operators/operator-log.ts'
import { QUOTA_MAX, type QuotaFields, QUOTAS } from '../../identity/quotas/quotas.ts'
import { changeQuotas, readQuotas } from '../../identity/quotas/rules.ts'
import { action } from './actions.ts'
import { TENANT_OPTION } from './arguments.ts'
import { calledAs } from './called-as.ts'
import { withContext } from './context.ts'
import { UsageError } from './failure.ts'
import { beside } from './table.ts'

const NAMES = Object.values(QUOTAS).map(({ field }) => field)
const HELP = beside(Object.values(QUOTAS).map(({ field, meaning }) => [`  ${field}`, meaning] as const)).trimEnd()

/** `knowledge tenant quota`. */
export const quotaAction = action(
  'show or change what a tenant may have and use',
  {
    usage: 'tenant quota [QUOTA=NUMBER…] [options]',
    about:
      'Shows what a tenant may have and use, and has. With QUOTA=NUMBER it changes that, from the next request on; none\n' +
      `lifts a quota. Commands of the command line are not bound by it. Quotas:\n${HELP}`,
    options: TENANT_OPTION,
  },
  async (words, call) => {
    const { tenant = 'default' } = words.values
    const fields = Object.fromEntries(words.positionals.map(readQuota)) as QuotaFields
    return withContext(call, { create: false }, async ({ database }) => {
      const log = (tx: Parameters<typeof recordOperation>[0]) =>
        recordOperation(tx, OPERATOR, 'update', 'tenant', tenant)
      if (words.positionals.length > 0) await changeQuotas(database, tenant, fields, OPERATOR, log)
      const { used, embedding_paused_until: until, ...quotas } = await readQuotas(database, tenant)
      const usedOf: Readonly<Record<(typeof QUOTAS)[keyof Quotas]['field'], number | null>> = {
        entries: used.entries,
        bytes: used.bytes,
        requests_per_minute: null,
        embedding_tokens_per_month: used.embedding_tokens,
      }
      const facts = NAMES.map((name) => {
        const has = usedOf[name] === null ? '' : `, has ${usedOf[name]}`
        return [name, `${quotas[name] ?? 'none'}${has}`] as const
      })
      call.stdout.write(beside(facts))
      if (until !== null) call.stdout.write(`Nothing is embedded until ${until}\n`)
      return 0
    })
  },
)

function readQuota(word: string): readonly [string, number | null] {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? []
  if (!NAMES.includes(name as (typeof NAMES)[number]))
    throw new UsageError(`"${word}" names no quota. See: ${calledAs('tenant quota --help')}`)
  if (value === 'none') return [name, null]
  const least = name === QUOTAS.requestsPerMinute.field ? 1 : 0
  if (!/^\d+$/.test(value) || Number(value) < least || Number(value) > QUOTA_MAX)
    throw new UsageError(`${name} must be none or a whole number from ${least} on`)
  return [name, Number(value)]
}
