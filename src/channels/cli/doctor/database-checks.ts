import { checksumFailures, findDamage } from '../../../platform/database/damage-checks.ts'
import { serverVersion } from '../../../platform/database/connect.ts'
import { pendingMigrations } from '../../../platform/database/migrate.ts'
import { keyName, sealConcern, trySeals } from '../../../composition/seals/sealed.ts'
import { targetsOf } from '../../../composition/embedding-targets.ts'
import type { EmbeddingStatus } from '../../../embedding/contract.ts'
import { openEmbedders } from '../../../composition/open-embedders.ts'
import { readyItems } from '../../../embedding/ready-items.ts'
import { EmbeddingRules } from '../../../embedding/rules.ts'
import { inconsistenciesOf } from '../../../knowledge/entries/consistency-rules.ts'
import { calledAs } from '../called-as.ts'
import { formerHolderConcern } from '../former-holders.ts'
import { countOutlivingKeys } from '../../../identity/api-keys/list-rules.ts'
import { everyTenant } from '../../../identity/tenants/list-rules.ts'
import { type Counts, counted } from '../counted.ts'
import { checkBackups as judgeBackups } from './backup-check.ts'
import { type DatabaseCheck, fail, type Finding, ok, warn } from './check.ts'
import { judgeEmbedder } from './embedder-check.ts'

/** Above this number, tenants without concerns share one line, so that a tenant with a concern stands out. */
const NAMED_TENANTS_MAX = 10

export const checkSchema: DatabaseCheck = async (database) => {
  const { applied, pending } = await pendingMigrations(database)
  if (applied === 0) return warn('the database is empty: the first start of the service sets it up')
  return pending.length === 0
    ? ok(`schema is up to date (${applied} ${applied === 1 ? 'migration' : 'migrations'})`)
    : warn(
        `schema is older than this program: the next start, or ${calledAs('migrate')}, applies ${pending.join(', ')}`,
      )
}

export const checkIntegrity: DatabaseCheck = async ({ queries, portable }) => {
  if (portable.name === 'postgres') {
    const { name } = await serverVersion(queries)
    const failures = await checksumFailures(queries)
    if (failures === null || failures.pages === 0)
      return ok(
        `PostgreSQL ${name}${failures === null ? ', without checksums of its pages' : ' has met no damaged page'}`,
      )
    return fail(
      `PostgreSQL has met ${failures.pages} damaged pages, the last one at ${failures.lastAt?.toISOString()}: check its ` +
        'disk, and restore a backup from before',
    )
  }
  const damage = await findDamage(queries)
  if (damage === null) return ok('SQLite finds no damage in its file')
  return fail(`the database file is damaged (${damage.replaceAll(/\s+/g, ' ')}): stop the service and restore a backup`)
}

/** Makes a check pass, without a look, in an empty or older database: its tables are not those of this program. */
const onceMigrated =
  (check: DatabaseCheck): DatabaseCheck =>
  async (database, config) => {
    const { pending } = await pendingMigrations(database)
    return pending.length > 0 ? ok('checked once the schema is up to date') : check(database, config)
  }

export const checkReferences: DatabaseCheck = onceMigrated(async (database) => {
  const { references, versionChains } = await inconsistenciesOf(database)
  const findings: Finding[] = references.map(({ what, count }) =>
    fail(`${count} ${what}: restore a backup, or export the tenant and import it again`),
  )
  if (versionChains > 0)
    findings.push(fail(`${versionChains} entries lack earlier versions: restore a backup if you need their history`))
  return findings.length > 0 ? findings : ok('everything that entries refer to exists')
})

export const checkKeys: DatabaseCheck = onceMigrated(async (database) => {
  const outliving = await countOutlivingKeys(database.queries, Date.now())
  const findings = outliving.map(({ tenant_id: id, count }) =>
    warn(
      `tenant ${id}: ${count === 1 ? '1 key outlives' : `${count} keys outlive`} the key that issued it, as earlier ` +
        `versions allowed: revoke keys that nobody needs; ${calledAs(`key list --tenant ${id}`)} shows who issued them`,
    ),
  )
  return findings.length > 0 ? findings : ok('no API key outlives the key that issued it')
})

/**
 * Checks that the installation's key opens the sealed values, which the key of another or an earlier process does not,
 * and that no service goes on sealing with the key before.
 */
export const checkSeals: DatabaseCheck = onceMigrated(async ({ queries }, config) => {
  const seals = await trySeals(queries, config)
  const concerns = [sealConcern(seals, config), await formerHolderConcern({ queries }, config)]
  const findings = concerns.flatMap((concern) => (concern === null ? [] : [warn(concern)]))
  if (findings.length > 0) return findings
  return ok(seals.length === 0 ? 'nothing is sealed yet' : `${keyName(config)} opens what the database keeps sealed`)
})

export const checkBackups: DatabaseCheck = onceMigrated(judgeBackups)

export const checkEmbedder: DatabaseCheck = async (database, config) => {
  const embedders = openEmbedders(config)
  try {
    return await judgeEmbedder(database, embedders)
  } finally {
    await embedders.close()
  }
}

/** Checks that all entries and products of each tenant have vectors. */
export const checkTenants: DatabaseCheck = onceMigrated(async (database, config) => {
  const embedders = openEmbedders(config)
  const targets = targetsOf()
  const rules = new EmbeddingRules({
    database,
    targets,
    installed: embedders.installed,
    provider: embedders.health,
    unreadReason: (models) => embedders.unreadReason(models),
  })
  const tenants: { readonly finding: Finding; readonly counts: Counts }[] = []
  try {
    for (const row of await everyTenant(database.queries)) {
      const { tenant_id: id } = row
      const status = await rules.status({ id })
      const items = await Promise.all(
        targets.map(async (target) => [
          target.kind,
          (await target.count(database.queries, id, status.target_model)).items,
        ]),
      )
      const counts = Object.fromEntries(items) as Counts
      tenants.push({ counts, finding: findingOf(`tenant ${id}: ${counted(counts)}`, status) })
    }
  } finally {
    await embedders.close()
  }
  if (tenants.length === 0) return warn('there is no tenant: the first start of the service creates one')
  const complete = tenants.filter(({ finding }) => finding.verdict === 'ok')
  if (complete.length <= NAMED_TENANTS_MAX) return tenants.map(({ finding }) => finding)
  const others = tenants.filter((tenant) => !complete.includes(tenant)).map(({ finding }) => finding)
  return [
    ok(`${complete.length} tenants: ${counted(sumOf(complete.map(({ counts }) => counts)))}, all with vectors`),
    ...others,
  ]
})

function sumOf(all: readonly Counts[]): Counts {
  const sum = { entry: 0, product: 0 }
  for (const { entry, product = 0 } of all) {
    sum.entry += entry
    sum.product += product
  }
  return sum
}

function findingOf(name: string, status: EmbeddingStatus): Finding {
  const { model, target_model: target, items, embedded, pending, failing, last_error: error } = status
  if (items > 0 && model !== target)
    return warn(
      `${name}, ${readyItems(status)} of them ready for ${target}; search uses ${model ?? 'no model yet'}. ` +
        `A running service completes the move, or: ${calledAs('reindex --resume')}`,
    )
  if (failing > 0)
    return warn(`${name}, ${failing} wait for vectors because the provider failed: ${error}. The service tries again`)
  if (pending > 0) return warn(`${name}, ${pending} wait for vectors: a running service computes them`)
  if (embedded < items)
    return warn(`${name}, ${items - embedded} have no vectors and are not queued: ${calledAs('reindex --resume')}`)
  return ok(`${name}, all with vectors`)
}
