import { copyInstallation } from '../../composition/copying/copy-installation.ts'
import { type CommandLine, type Option, readArguments, refuseMore } from './arguments.ts'
import type { CommandCall } from './command-call.ts'
import { countedRows } from './counted.ts'
import { withContext } from './context.ts'
import { UsageError } from './failure.ts'

const OPTIONS = {
  to: { type: 'string', value: 'PLACE', help: 'data directory or postgres:// address to copy to' },
  tenant: { type: 'string', value: 'ID', help: 'id of the only tenant to copy (default: the whole installation)' },
  as: { type: 'string', value: 'ID', help: 'id that the tenant has in the copy; without --to in the same database' },
  'to-key': { type: 'string', value: 'FILE', help: 'file with the secret key of the place, where it has another one' },
} as const satisfies Record<string, Option>

const LINE = {
  usage: 'copy --to PLACE | --tenant ID --as ID [options]',
  about:
    'Copies the whole installation, or one tenant with all it has, to another database, from SQLite to PostgreSQL, back,\n' +
    'or to another of the same kind: every row, with hashes of credentials, clients, logs and vectors. The source is\n' +
    'seen at one moment and stays as it is; in the other place everything appears at once. A copy replaces nothing:\n' +
    'the place is empty, or for a tenant has none of that id. The password of an address may be in PGPASSWORD.\n' +
    'With --as a tenant is copied under another id, without --to beside itself. No credential of the original opens such\n' +
    'a copy: passwords, second factors, links to company accounts, sessions, invitations, clients and grants stay behind,\n' +
    'and its keys are revoked. Its people sign in after a password link.',
  options: OPTIONS,
} satisfies CommandLine<typeof OPTIONS>

export const lines = [LINE]

/** Copies the installation or a tenant. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  refuseMore(words.positionals, 'copy')
  const { to = null, tenant = null, as = null, 'to-key': keyFile = null } = words.values
  if (as !== null && tenant === null) throw new UsageError('--tenant is missing: --as names the copy of one tenant')
  if (to === null && as === null)
    throw new UsageError('--to is missing: name a data directory or a postgres:// address, or another id with --as')
  if (to === null && keyFile !== null) throw new UsageError('--to-key is for another place: name it with --to')
  return withContext(call, { create: false }, async ({ config }) => {
    const { counts, needsKey } = await copyInstallation(config, { to, keyFile, tenantId: tenant, as })
    call.stderr.write(`${countedRows(counts)} copied and counted\n`)
    if (needsKey) {
      call.stderr.write(
        'Serve the copy with the same secret key: set SECRET_KEY, or copy secret.key to its DATA_DIR\n' +
          (tenant === null
            ? ''
            : 'For an installation of somebody else make the copy with a key of its own: --to-key FILE\n'),
      )
    }
    return 0
  })
}
