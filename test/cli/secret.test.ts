import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { rotateSeals } from '../../src/composition/seals/rotation.ts'
import { countSeals } from '../../src/composition/seals/sealed.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { signingKeys } from '../../src/identity/oauth/keys/signing-keys.ts'
import { insertSalt } from '../../src/insights/search-log/salt-store.ts'
import { SALT_SEAL } from '../../src/insights/search-log/visitors.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { olderConnections } from '../../src/platform/database/older-connections.ts'
import { readFormerSecret, readSecretFile } from '../../src/platform/secret-file.ts'
import { SecretBox } from '../../src/platform/secrets.ts'
import { emptyFolder, emptyPlace, namesIn, refuses, succeeds } from '../backup/parts.ts'
import { knowledge } from '../cli/program.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { DATABASES, type DatabaseKind, onEachDatabase, type TestDatabase } from '../support/databases.ts'

const [A, B] = ['a', 'b'].map((letter) => `${letter} key, with a comma, of more than 32 characters`)
const SALTS = 450
const NEVER = new AbortController().signal

const countTenants = ({ queries }: Database) => queries.selectFrom('tenants').select('tenant_id').execute()

/** Makes an installation with salts and a signing key, sealed by a box. */
async function sealedPlace(
  t: TestContext,
  kind: DatabaseKind,
  box: (place: TestDatabase) => SecretBox,
): Promise<{ place: TestDatabase; database: Database }> {
  const place = await kind.createMigrated()
  t.after(() => place.remove())
  const database = openDatabase(place.options)
  t.after(() => database.close())
  await migrate(database)
  await createTenant(database, { id: 'default', name: 'Default', host: null })
  const own = box(place)
  await signingKeys(database, own)
  await database.write(async (tx) => {
    for (let i = 0; i < SALTS; i++) await insertSalt(tx, 'default', i, own.seal(SALT_SEAL, `salt ${i}`))
  })
  return { place, database }
}

onEachDatabase('a secret key that is a setting', (kind) => {
  test('is replaced: both open, everything is sealed anew, and the former one is needed no more', async (t) => {
    const { place, database } = await sealedPlace(t, kind, () => new SecretBox(() => A))
    const { dataDir } = place.options
    const both = { SECRET_KEY: B, SECRET_KEY_FORMER: A }
    const told = async (args: readonly string[], env: Record<string, string>) => {
      const { code, stderr } = await knowledge(place, args, { env })
      return { code, stderr }
    }
    const [before] = await signingKeys(database, new SecretBox(() => A))
    assert.deepEqual(
      await signingKeys(
        database,
        new SecretBox(
          () => B,
          () => [A],
        ),
      ),
      [before],
    )

    const all = SALTS + 1
    assert.match((await told(['secret', 'status'], both)).stderr, new RegExp(`A former key opens ${all} of them`))
    const { stdout } = await knowledge(place, ['doctor'], { env: { ...both, PORT: '0' } })
    assert.match(
      stdout,
      new RegExp(`^warn +seals +${all} of ${all} sealed values .* run knowledge secret rotate$`, 'm'),
    )
    // As a rotation leaves it that was ended early.
    const source = { secretKey: B, dataDir, formerSecretKeys: [A] }
    const partly = new SecretBox(() => B).seal(SALT_SEAL, 'salt 7')
    await database.queries
      .updateTable('visitor_salts')
      .set({ sealed: partly })
      .where('tenant_id', '=', 'default')
      .where('period', '=', 7)
      .execute()
    assert.deepEqual(await rotateSeals(database, source, AbortSignal.abort()), {
      renewed: 0,
      shut: 0,
      isInterrupted: true,
    })

    const rotated = await told(['secret', 'rotate'], both)
    assert.deepEqual([rotated.code, /unset SECRET_KEY_FORMER/.test(rotated.stderr)], [0, true], rotated.stderr)
    assert.match(rotated.stderr, new RegExp(`^${all - 1} sealed values are sealed anew with SECRET_KEY`))
    assert.deepEqual(await countSeals(database.queries, { secretKey: B, dataDir }), {
      'oauth_signing_keys.sealed': { sealed: 1, opened: 1 },
      'visitor_salts.sealed': { sealed: SALTS, opened: SALTS },
    })
    assert.deepEqual(await signingKeys(database, new SecretBox(() => B)), [before])
    const log = await database.queries
      .selectFrom('operator_log')
      .select(['action', 'resource_type', 'source'])
      .where('resource_type', '=', 'secret_key')
      .execute()
    assert.deepEqual(log, [{ action: 'update', resource_type: 'secret_key', source: 'cli' }])
    assert.deepEqual(await rotateSeals(database, source, NEVER), { renewed: 0, shut: 0, isInterrupted: false })
  })

  test('of which nobody has the former one is left as it is, and said so', async (t) => {
    const { place } = await sealedPlace(t, kind, () => new SecretBox(() => A))
    const { code, stderr } = await knowledge(place, ['secret', 'rotate'], { env: { SECRET_KEY: B } })
    assert.equal(code, 0)
    assert.match(stderr, new RegExp(`^0 sealed values .*\n0 of ${SALTS + 1} .*\nNo key opens ${SALTS + 1} of them`))
    assert.match(await refuses(place, ['secret', 'new'], { SECRET_KEY: B }), /SECRET_KEY_FORMER the present one/)
  })
})

describe('a secret key that is a file', { skip: !DATABASES.some(({ name }) => name === 'SQLite') }, () => {
  test('is replaced by a new one; the former one lies beside it, also in backups, until nothing needs it', async (t) => {
    const kind = DATABASES.find(({ name }) => name === 'SQLite')!
    const { place, database } = await sealedPlace(t, kind, ({ options: { dataDir } }) =>
      SecretBox.of({ secretKey: null, dataDir }),
    )
    const { dataDir } = place.options
    const first = readSecretFile(dataDir)
    const running = await ServiceProcess.start(place)
    t.after(() => running.kill())
    await succeeds(place, ['secret', 'new'])
    // What this service seals from now on only the former key opens.
    assert.match(
      await refuses(place, ['secret', 'forget']),
      /started before the new key .*\(process \d+\)\. First start it again, then call: .*rotate, and last: .*forget$/,
    )
    const seals = async () => {
      const { stdout } = await knowledge(place, ['doctor'], { env: { PORT: '0' } })
      return [...stdout.matchAll(/^\w+ +seals .*$/gm)].map(([line]) => line)
    }
    assert.match(
      (await seals()).at(-1),
      /^warn .*still seals with the former one \(process \d+\)\. First start it again/,
    )
    await running.stop()
    assert.notEqual(readSecretFile(dataDir), first)
    assert.deepEqual(readFormerSecret(dataDir), [first])
    assert.match(await refuses(place, ['secret', 'new']), /secret\.key\.former is there already/)
    assert.match(await refuses(place, ['secret', 'forget']), /A former key still opens \d+ sealed values/)
    const service = await ServiceProcess.start(place)
    await service.stop()
    assert.match(service.output, /are sealed with a former key: .* run knowledge secret rotate/)

    const backup = await succeeds(place, ['backup', emptyFolder(t)])
    assert.deepEqual(namesIn(backup), ['backup.json', 'knowledge.db', 'secret.key', 'secret.key.former'])
    const elsewhere = emptyPlace(t)
    await succeeds(elsewhere, ['restore', backup])
    const former = (folder: string): string => readFileSync(join(folder, 'secret.key.former'), 'utf8')
    assert.equal(former(elsewhere.options.dataDir), former(dataDir))

    await succeeds(place, ['secret', 'rotate'])
    assert.match((await seals()).join(), /^ok .* opens what the database keeps sealed$/)
    await succeeds(place, ['secret', 'forget'])
    assert.equal(existsSync(join(dataDir, 'secret.key.former')), false)
    const counts = await countSeals(database.queries, { secretKey: null, dataDir })
    assert.deepEqual(counts['visitor_salts.sealed'], { sealed: SALTS, opened: SALTS })
    assert.match(await refuses(place, ['secret', 'forget']), /There is no .*secret\.key\.former/)
    // A backup from before needs the key from before, which the place may have as the former one.
    const again = emptyPlace(t)
    const env = { SECRET_KEY: B, SECRET_KEY_FORMER: `${readSecretFile(backup)},${first}` }
    await succeeds(again, ['restore', backup], env)
  })
})

test('a secret key that does not exist yet is said to be made when it is needed', async (t) => {
  const place = await DATABASES[0].createMigrated()
  t.after(() => place.remove())
  const database = openDatabase(place.options)
  await migrate(database)
  await database.close()
  for (const word of ['status', 'rotate']) {
    const { code, stderr } = await knowledge(place, ['secret', word])
    assert.deepEqual([code, stderr.split('\n').length], [0, 2], stderr)
    assert.match(stderr, /^There is no key yet: the service makes \S+secret\.key when it first seals something\.\n$/)
  }
  assert.equal(existsSync(join(place.options.dataDir, 'secret.key')), false)
})

const POSTGRES = DATABASES.find(({ name }) => name === 'PostgreSQL')

test(
  'PostgreSQL tells of services that connected before a time, and not of the one that asks',
  { skip: !POSTGRES },
  async (t) => {
    const place = await POSTGRES!.createMigrated()
    t.after(() => place.remove())
    const [service, asking] = [openDatabase(place.options), openDatabase(place.options)]
    t.after(() => Promise.all([service.close(), asking.close()]))
    const inAnHour = Date.now() + 3_600_000
    await countTenants(asking)
    assert.deepEqual(await olderConnections(asking.queries, inAnHour), [])
    await countTenants(service)
    assert.equal((await olderConnections(asking.queries, inAnHour)).length, 1)
    assert.deepEqual(await olderConnections(asking.queries, 0), [])
  },
)
