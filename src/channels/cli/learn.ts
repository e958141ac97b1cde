import { listTenants, requireTenant } from '../../identity/tenants/rules.ts'
import { learnTenant } from '../../insights/learning/learn.ts'
import { type CommandLine, type Option, readArguments, refuseMore, TENANT_OPTION } from './arguments.ts'
import { withContext } from './context.ts'
import { UsageError } from './failure.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'

const OPTIONS = {
  ...TENANT_OPTION,
  all: { type: 'boolean', help: 'all tenants' },
} as const satisfies Record<string, Option>

const LINE = {
  usage: 'learn [options]',
  about:
    'Learns from the clicks of a tenant now, like the service does each hour by itself. Forgets what was learnt for\n' +
    'sites where learning is off. Works while the service runs.',
  options: OPTIONS,
} satisfies CommandLine<typeof OPTIONS>

export const lines = [LINE]

/** @returns exit code 0; 130 when the command was interrupted */
export async function run(args: readonly string[]): Promise<number> {
  const words = readArguments(args, LINE)
  if (words === null) return 0
  refuseMore(words.positionals, 'learn')
  const { tenant, all } = words.values
  if (all === true && tenant !== undefined) throw new UsageError('Give --tenant or --all, not both')
  return withContext({ create: false }, ({ database }) =>
    interruptible(async (stop) => {
      const { queries } = database
      const rows = all === true ? await listTenants(queries) : [await requireTenant(queries, tenant ?? 'default')]
      for (const { tenant_id: tenantId } of rows) {
        const learnt = await learnTenant(database, tenantId, { now: Date.now(), signal: stop })
        if (stop.aborted) return INTERRUPTED
        process.stdout.write(`${tenantId}: ${learnt} ${learnt === 1 ? 'query has' : 'queries have'} boosts\n`)
      }
      return 0
    }),
  )
}
