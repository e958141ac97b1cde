import { Readable } from 'node:stream'
import { AuditFilters, type AuditRecord, EXPORT_FORMATS } from '../../identity/audit-trail/contract.ts'
import { csvLines, jsonLines } from '../../identity/audit-trail/export-lines.ts'
import { AuditTrail } from '../../identity/audit-trail/rules.ts'
import { compileCheck } from '../../platform/contract/check.ts'
import { action, runAction } from './actions.ts'
import { type Option, refuseMore, TENANT_OPTION } from './arguments.ts'
import type { CommandCall } from './command-call.ts'
import { operatorOf, withContext } from './context.ts'
import { UsageError } from './failure.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'
import { OUTPUT_OPTION, writeWhole } from './output-file.ts'
import { table } from './table.ts'

/** Options for the filters that the API has too. */
const FILTER_OPTIONS = {
  'user-id': { type: 'string', value: 'ID', help: 'who did it' },
  'credential-id': { type: 'string', value: 'ID', help: 'with which key, session or grant' },
  'client-id': { type: 'string', value: 'ID', help: 'by which OAuth client' },
  action: { type: 'string', value: 'WORD', help: 'what was done, such as update' },
  'resource-type': { type: 'string', value: 'WORD', help: 'to what kind of thing, such as entry' },
  'resource-id': { type: 'string', value: 'ID', help: 'to which one' },
  source: { type: 'string', value: 'WORD', help: 'through which channel, such as console' },
  outcome: { type: 'string', value: 'WORD', help: 'done or refused' },
  from: { type: 'string', value: 'TIME', help: 'of this time and later, such as 2027-02-19 or 2027-02-19T04:06:00Z' },
  to: { type: 'string', value: 'TIME', help: 'before this time' },
} as const satisfies Record<string, Option>

const checkFilters = compileCheck(AuditFilters, ['query'])

/** Reads the filters in the options. @throws UsageError naming the option */
function readFilters(values: Readonly<Record<string, unknown>>): AuditFilters {
  const named = Object.keys(FILTER_OPTIONS).flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' ? [[name.replaceAll('-', '_'), withTime(name, value)]] : []
  })
  const filters = Object.fromEntries(named) as Record<string, unknown>
  const [fault] = checkFilters(filters) ?? []
  if (fault !== undefined) throw new UsageError(`--${fault.loc[1].replaceAll('_', '-')}: ${fault.msg}`)
  return filters
}

/** Turns a day into its first moment in UTC. */
function withTime(name: string, value: string): string {
  const isDay = (name === 'from' || name === 'to') && /^\d{4}-\d{2}-\d{2}$/.test(value)
  return isDay ? `${value}T00:00:00Z` : value
}

/** Records that `audit list` shows by default. */
const LISTED = 50
const LISTED_MAX = 1_000

const list = action(
  'show audit records, newest first',
  {
    usage: 'audit list [options]',
    about: 'Shows who changed what in a tenant, newest first. Options that choose records may be combined.',
    options: {
      ...TENANT_OPTION,
      ...FILTER_OPTIONS,
      limit: { type: 'string', value: 'NUMBER', help: `how many, 1 to ${LISTED_MAX} (default: ${LISTED})` },
    },
  },
  async (words, call) => {
    refuseMore(words.positionals, 'audit list')
    const { tenant = 'default', limit = String(LISTED) } = words.values
    const filters = readFilters(words.values)
    if (!/^[1-9]\d*$/.test(limit) || Number(limit) > LISTED_MAX)
      throw new UsageError(`--limit must be a whole number from 1 to ${LISTED_MAX}`)
    return withContext(call, { create: false }, async (context) => {
      const operator = await operatorOf(context, tenant)
      const page = { limit: Number(limit), after: null }
      const { items, next } = await new AuditTrail(context.database).list(operator, filters, page)
      call.stdout.write(table(['TIME', 'ACTION', 'WHAT', 'ID', 'BY', 'SOURCE'], items.map(cellsOf)))
      if (next !== null) call.stderr.write('There are older ones: see --limit, --to and audit export\n')
      return 0
    })
  },
)

function cellsOf(record: AuditRecord): (string | null)[] {
  const { created_at: at, action: verb, resource_type: kind, resource_id: id, user, source } = record
  return [`${at.slice(0, 19).replace('T', ' ')}Z`, verb, kind, id, user?.email ?? record.credential_id, source]
}

const FORMATS = { jsonl: jsonLines, csv: csvLines } as const

const exportRecords = action(
  'write audit records as JSON lines or a table',
  {
    usage: 'audit export [options]',
    about:
      'Writes every audit record that the options choose, newest first: one JSON document a line, or a table. The export\n' +
      'itself is recorded.',
    options: {
      ...TENANT_OPTION,
      ...FILTER_OPTIONS,
      format: { type: 'string', value: 'FORMAT', help: `${EXPORT_FORMATS.join(' or ')} (default: jsonl)` },
      ...OUTPUT_OPTION,
    },
  },
  async (words, call) => {
    refuseMore(words.positionals, 'audit export')
    const { tenant = 'default', output, format: name = 'jsonl' } = words.values
    const filters = readFilters(words.values)
    const format = EXPORT_FORMATS.find((each) => each === name)
    if (format === undefined) throw new UsageError(`--format must be ${EXPORT_FORMATS.join(' or ')}`)
    return withContext(call, { create: false }, async (context) => {
      const operator = await operatorOf(context, tenant)
      const batches = await new AuditTrail(context.database).export(operator, filters, async () => operator)
      return interruptible(async (stop) => {
        try {
          await writeWhole(Readable.from(FORMATS[format](batches)), output, call, stop)
          return 0
        } catch (error) {
          if (!stop.aborted) throw error
          call.stderr.write('Interrupted; the incomplete export was removed.\n')
          return INTERRUPTED
        }
      })
    })
  },
)

const ACTIONS = { list, export: exportRecords }

export const lines = Object.values(ACTIONS).map(({ line }) => line)

/** `knowledge audit`. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  return runAction('audit', ACTIONS, args, call)
}
