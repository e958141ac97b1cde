import { removeTenantNow } from '../../composition/tenants/removal.ts'
import { removeSnapshotsOf } from '../../composition/tenants/snapshots.ts'
import {
  cancelRemoval,
  GRACE_DAYS_MAX,
  resumeTenant,
  suspendAndPlanRemoval,
  suspendTenant,
} from '../../identity/operators/tenant-life.ts'
import { OPERATOR } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { action } from './actions.ts'
import type { Option } from './arguments.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { type Context, withContext } from './context.ts'
import { UsageError } from './failure.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'
import { Progress } from './progress.ts'
import { minute } from './table.ts'

/** `knowledge tenant suspend`. */
export const suspendAction = action(
  'close a tenant to everybody, losing nothing',
  {
    usage: 'tenant suspend ID',
    about: 'Refuses every request of a tenant, in every process and at once. Background work leaves it alone.',
    options: {},
  },
  (words, call) => onTenant(call, words.positionals, 'suspend', suspendTenant, 'is suspended'),
)

/** `knowledge tenant resume`. */
export const resumeAction = action(
  'open a suspended tenant again',
  { usage: 'tenant resume ID', about: 'Opens a suspended tenant again, from the next request on.', options: {} },
  (words, call) => onTenant(call, words.positionals, 'resume', resumeTenant, 'works again'),
)

/** `knowledge tenant keep`. */
export const keepAction = action(
  'cancel the planned removal of a tenant',
  {
    usage: 'tenant keep ID',
    about: 'Cancels the removal of a tenant, until it begins. The tenant stays suspended.',
    options: {},
  },
  (words, call) => onTenant(call, words.positionals, 'keep', cancelRemoval, 'stays, and is suspended'),
)

const DELETE_OPTIONS = {
  yes: { type: 'boolean', help: 'do it; without this the command changes nothing' },
  'grace-days': {
    type: 'string',
    value: 'DAYS',
    help: `suspend it now, and leave the deleting to the service after 1 to ${GRACE_DAYS_MAX} days`,
  },
} as const satisfies Record<string, Option>

/** `knowledge tenant delete`. */
export const deleteAction = action(
  'delete a tenant with everything it has',
  {
    usage: 'tenant delete ID --yes [options]',
    about:
      'Suspends a tenant, so that nobody reaches it any more, and deletes everything it has in small steps beside other\n' +
      'work. After ctrl-C a running service goes on with it, or the same command does. This cannot be undone.',
    options: DELETE_OPTIONS,
  },
  async (words, call) => {
    const id = oneTenant(words.positionals, 'delete')
    const { yes = false, 'grace-days': grace } = words.values
    const graceDays = grace === undefined ? 0 : readGraceDays(grace)
    if (!yes) throw new UsageError(`This deletes tenant ${id} with everything it has. Add --yes to do it`)
    return withContext(call, { create: false }, (context) =>
      graceDays === 0 ? deleteNow(context, id) : deleteLater(context, id, graceDays),
    )
  },
)

async function deleteNow({ config, database, call }: Context, id: string): Promise<number> {
  const progress = new Progress(`Deleting ${id}: rows`, call.stderr)
  let rows = 0
  const onDeleted = (deleted: number): void => progress.update((rows += deleted), null)
  const isGone = await interruptible((signal) => removeTenantNow(database, id, OPERATOR, { signal, onDeleted }))
  progress.clear()
  if (isGone) {
    await removeSnapshotsOf(config.dataDir, id)
    call.stdout.write(`Tenant ${id} is gone: ${rows} rows were deleted\n`)
    return 0
  }
  call.stderr.write(`Interrupted after ${rows} rows; a running service goes on, or this command does.\n`)
  return INTERRUPTED
}

async function deleteLater({ database, call }: Context, id: string, graceDays: number): Promise<number> {
  const { remove_at: at } = await suspendAndPlanRemoval(database, id, graceDays, OPERATOR)
  call.stdout.write(
    `Tenant ${id} is suspended; the service deletes it from ${minute(at)} on. To cancel: ${calledAs(`tenant keep ${id}`)}\n`,
  )
  return 0
}

/** Writes the state of a tenant for the list. */
export function stateInWords({ suspended_at: since, remove_at: at, removing_at: began }: TenantRow): string {
  if (since === null) return 'active'
  if (at === null) return `suspended ${minute(since)}`
  return began === null ? `removed from ${minute(at)}` : 'being removed'
}

async function onTenant(
  call: CommandCall,
  words: readonly string[],
  name: string,
  change: (database: Database, tenantId: string, actor: typeof OPERATOR) => Promise<TenantRow>,
  done: string,
): Promise<number> {
  const id = oneTenant(words, name)
  return withContext(call, { create: false }, async ({ database }) => {
    await change(database, id, OPERATOR)
    call.stdout.write(`Tenant ${id} ${done}\n`)
    return 0
  })
}

function oneTenant(words: readonly string[], name: string): string {
  if (words.length === 1) return words[0]
  throw new UsageError(`Name one tenant by its id. See: ${calledAs(`tenant ${name} --help`)}`)
}

function readGraceDays(raw: string): number {
  const days = Number(raw)
  if (/^\d+$/.test(raw) && days >= 1 && days <= GRACE_DAYS_MAX) return days
  throw new UsageError(`--grace-days must be a whole number from 1 to ${GRACE_DAYS_MAX}`)
}
