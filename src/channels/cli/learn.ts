import { learnTenant } from '../../insights/learning/learn.ts'
import { type CommandLine, readArguments, refuseMore } from './arguments.ts'
import { chosenTenants, refuseBoth, TENANTS_OPTIONS } from './chosen-tenants.ts'
import type { CommandCall } from './command-call.ts'
import { withContext } from './context.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'

const LINE = {
  usage: 'learn [options]',
  about:
    'Learns from the clicks of a tenant now, like the service does each hour by itself. Forgets what was learnt for\n' +
    'sites where learning is off. Works while the service runs.',
  options: TENANTS_OPTIONS,
} satisfies CommandLine<typeof TENANTS_OPTIONS>

export const lines = [LINE]

/** Learns from clicks. @returns exit code 0; 130 after an interruption */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  refuseMore(words.positionals, 'learn')
  refuseBoth(words.values)
  return withContext(call, { create: false }, ({ database }) =>
    interruptible(async (stop) => {
      for (const { tenant_id: tenantId } of await chosenTenants(database.queries, words.values)) {
        const count = await learnTenant(database, tenantId, { now: Date.now(), signal: stop })
        if (stop.aborted) return INTERRUPTED
        call.stdout.write(`${tenantId}: ${count} ${count === 1 ? 'query has' : 'queries have'} boosts\n`)
      }
      return 0
    }),
  )
}
