import { everyOperator, issueOperator, revokeOperator } from '../../identity/operators/rules.ts'
import type { OperatorRow } from '../../platform/database/tables.ts'
import { action, runAction } from './actions.ts'
import { type Option, refuseMore } from './arguments.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { readExpiry } from './expiry.ts'
import { UsageError } from './failure.ts'
import { minute, table } from './table.ts'
import { ensureFirstTenant, withContext } from './context.ts'

const EXPIRES_BY_DEFAULT = '1y'

const ISSUE_OPTIONS = {
  name: { type: 'string', value: 'NAME', help: 'who or what uses the credential' },
  expires: { type: 'string', value: 'WHEN', help: '12h, 90d, 8w, 1y, a date, or never (default: 1y)' },
  quiet: { type: 'boolean', short: 'q', help: 'print only the credential' },
} as const satisfies Record<string, Option>

const issue = action(
  'issue an operator credential and show it once',
  {
    usage: 'operator issue --name NAME [options]',
    about:
      'Issues the credential of an operator, who stands above tenants: for /api/operator and nothing else. It is shown\n' +
      'only once, because only its hash is stored.',
    options: ISSUE_OPTIONS,
  },
  async (words, call) => {
    refuseMore(words.positionals, 'operator issue')
    const { name, expires = EXPIRES_BY_DEFAULT, quiet } = words.values
    if (name === undefined) throw new UsageError('--name is missing: say who or what uses the credential')
    const expiresAt = expires === 'never' ? null : readExpiry(expires)
    return withContext(call, { create: true }, async (context) => {
      await ensureFirstTenant(context)
      const { id, key } = await issueOperator(context.database, { name, expiresAt })
      if (quiet !== true) {
        const until = expiresAt === null ? 'never expires' : `expires ${minute(expiresAt)}`
        call.stderr.write(`Operator ${id}, ${until}. The credential is shown only once:\n`)
      }
      call.stdout.write(`${key}\n`)
      return 0
    })
  },
)

const list = action(
  'show all operator credentials',
  {
    usage: 'operator list',
    about: 'Lists operator credentials by their first characters; the credentials themselves are not stored.',
    options: {},
  },
  async (words, call) => {
    refuseMore(words.positionals, 'operator list')
    return withContext(call, { create: false }, async ({ database }) => {
      const rows = (await everyOperator(database.queries)).map((row) => [
        row.id,
        `${row.hint}…`,
        row.name,
        stateOf(row),
        minute(row.last_used_at),
        minute(row.created_at),
      ])
      call.stdout.write(table(['ID', 'CREDENTIAL', 'NAME', 'STATE', 'LAST USED', 'CREATED'], rows))
      return 0
    })
  },
)

function stateOf({ revoked_at: revokedAt, expires_at: expiresAt }: OperatorRow): string {
  if (revokedAt !== null) return `revoked ${minute(revokedAt)}`
  if (expiresAt === null) return 'valid'
  return `${expiresAt <= Date.now() ? 'expired' : 'valid until'} ${minute(expiresAt)}`
}

const revoke = action(
  'revoke an operator credential, from its next request on',
  {
    usage: 'operator revoke ID…',
    about: 'Revokes operator credentials by the ids that `operator list` shows.',
    options: {},
  },
  async (words, call) => {
    if (words.positionals.length === 0)
      throw new UsageError(`The id of the operator is missing. To list the ids: ${calledAs('operator list')}`)
    return withContext(call, { create: false }, async ({ database }) => {
      for (const id of words.positionals) {
        const isNew = await revokeOperator(database, id)
        call.stdout.write(`Operator ${id} ${isNew ? 'is revoked' : 'was revoked already'}\n`)
      }
      return 0
    })
  },
)

const ACTIONS = { issue, list, revoke }

export const lines = Object.values(ACTIONS).map(({ line }) => line)

/** `knowledge operator`. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  return runAction('operator', ACTIONS, args, call)
}
