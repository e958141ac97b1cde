import { builtinNameOf } from '../../embedding/builtin/names.ts'
import { modelsOfTenant } from '../../embedding/rules.ts'
import { changeTenantAsOperator } from '../../identity/operators/tenant-change.ts'
import { everyTenant } from '../../identity/tenants/list-rules.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { createTenant } from '../../composition/new-tenant.ts'
import { parseSettings, TENANT_SETTINGS } from '../../identity/tenants/settings.ts'
import { action, runAction } from './actions.ts'
import { type Option, refuseMore, TENANT_OPTION } from './arguments.ts'
import { calledAs, calledHere } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { UsageError } from './failure.ts'
import { beside, minute, table } from './table.ts'
import { modelAction } from './tenant-model.ts'
import { quotaAction } from './tenant-quota.ts'
import { deleteAction, keepAction, resumeAction, stateInWords, suspendAction } from './tenant-life.ts'
import { ensureFirstTenant, withContext } from './context.ts'

const FACTS = {
  name: { type: 'string', value: 'NAME', help: 'name for people' },
  host: {
    type: 'string',
    value: 'HOST',
    help: 'host name of this tenant alone; none for the shared address',
  },
} as const satisfies Record<string, Option>

const create = action(
  'add a tenant',
  {
    usage: 'tenant create ID [options]',
    about: 'Adds a tenant. Its id must have 1 to 63 characters of a-z, 0-9 and -.',
    options: FACTS,
  },
  async (words, call) => {
    const [id, ...more] = words.positionals
    if (id === undefined) throw new UsageError('The id of the new tenant is missing')
    refuseMore(more, 'tenant create')
    const { name = id, host } = words.values
    return withContext(call, { create: true }, async (context) => {
      await ensureFirstTenant(context)
      await createTenant(context.database, { id, name, host: hostOf(host) ?? null })
      call.stdout.write(
        `Tenant ${id} was created. To issue its first key: ${calledHere(`key issue --tenant ${id} --name NAME --role admin`, call.env)}\n`,
      )
      return 0
    })
  },
)

const list = action(
  'show all tenants',
  {
    usage: 'tenant list',
    about: 'Lists all tenants.',
    options: {},
  },
  async (words, call) => {
    refuseMore(words.positionals, 'tenant list')
    return withContext(call, { create: false }, async ({ database }) => {
      const rows = (await everyTenant(database.queries)).map((row) => [
        row.tenant_id,
        row.name,
        row.host,
        stateInWords(row),
        row.embedding_model,
        minute(row.created_at),
      ])
      call.stdout.write(table(['ID', 'NAME', 'HOST', 'STATE', 'EMBEDDING MODEL', 'CREATED'], rows))
      return 0
    })
  },
)

const show = action(
  'show the settings of a tenant',
  {
    usage: 'tenant show [options]',
    about: 'Shows a tenant with all its settings.',
    options: TENANT_OPTION,
  },
  async (words, call) => {
    refuseMore(words.positionals, 'tenant show')
    const { tenant = 'default' } = words.values
    return withContext(call, { create: false }, async ({ database }) => {
      const row = await requireTenant(database.queries, tenant)
      const settings = Object.entries(parseSettings(row.settings))
      const { model, choice } = await modelsOfTenant(database.queries, tenant)
      const facts: [string, unknown][] = [
        ['id', row.tenant_id],
        ['name', row.name],
        ['host', row.host ?? 'none'],
        ['embedding model', model ?? 'none yet'],
        ['chosen model', builtinNameOf(choice) ?? 'none'],
        ...settings,
      ]
      call.stdout.write(beside(facts.map(([name, value]) => [name, String(value)])))
      return 0
    })
  },
)

const SETTINGS_HELP = beside(
  Object.entries(TENANT_SETTINGS).map(([name, { meaning }]) => [`  ${name}`, meaning] as const),
).trimEnd()

const set = action(
  'change the settings of a tenant',
  {
    usage: 'tenant set SETTING=VALUE… [options]',
    about: `Changes a tenant, from the next request on. Settings:\n${SETTINGS_HELP}`,
    options: { ...TENANT_OPTION, ...FACTS },
  },
  async (words, call) => {
    const { tenant = 'default', name, host } = words.values
    const settings = Object.fromEntries(words.positionals.map(readSetting))
    if (words.positionals.length === 0 && name === undefined && host === undefined)
      throw new UsageError(`Nothing to set. See: ${calledAs('tenant set --help')}`)
    return withContext(call, { create: false }, async ({ database }) => {
      await changeTenantAsOperator(database, tenant, { name, host: hostOf(host), settings })
      call.stdout.write(`Tenant ${tenant} was changed\n`)
      return 0
    })
  },
)

function readSetting(word: string): [string, string] {
  const match = /^([^=]+)=(.*)$/s.exec(word)
  if (match === null)
    throw new UsageError(`"${word}" does not have the form SETTING=VALUE. See: ${calledAs('tenant set --help')}`)
  return [match[1], match[2]]
}

function hostOf(raw: string | undefined): string | null | undefined {
  return raw === 'none' ? null : raw
}

const ACTIONS = {
  create,
  list,
  show,
  set,
  model: modelAction,
  quota: quotaAction,
  suspend: suspendAction,
  resume: resumeAction,
  delete: deleteAction,
  keep: keepAction,
}

export const lines = Object.values(ACTIONS).map(({ line }) => line)

/** `knowledge tenant`. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  return runAction('tenant', ACTIONS, args, call)
}
