import assert from 'node:assert/strict'
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fingerprintOf } from '../../src/composition/seals/key-note.ts'
import { insertSalt } from '../../src/insights/search-log/salt-store.ts'
import { SALT_SEAL } from '../../src/insights/search-log/visitors.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { readSecretFile } from '../../src/platform/secret-file.ts'
import { SecretBox } from '../../src/platform/secrets.ts'
import { start } from '../cli/program.ts'
import { until } from '../support/patience.ts'
import { ADMIN_KEY, ServiceProcess } from '../durability/service-process.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { assertWholeUnderWrites, emptyFolder, emptyPlace, everything, namesIn, refuses, succeeds } from './parts.ts'

/** Moves a file. @returns where it is then */
function moved(file: string, to: string): string {
  renameSync(file, to)
  return to
}

/** Stores a salt of visitors, sealed with the key of the place. */
async function sealSalt({ options }: Pick<TestDatabase, 'options'>): Promise<void> {
  const database = openDatabase(options)
  const sealed = SecretBox.of({ secretKey: null, dataDir: options.dataDir }).seal(SALT_SEAL, 'salt')
  await database.write((tx) => insertSalt(tx, 'default', 1, sealed))
  await database.close()
}

const KIND = DATABASES.find(({ name }) => name === 'SQLite')

describe('a backup of the embedded database', { skip: KIND === undefined && 'without SQLite' }, () => {
  let place: TestDatabase
  let service: ServiceProcess
  let category: string

  before(async () => {
    place = await KIND!.create()
    readSecretFile(place.options.dataDir)
    service = await ServiceProcess.start(place)
    category = (await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })).body.id
  })
  after(async () => {
    await service.kill()
    await place.remove()
  })

  test('made under a stream of writes has all that was acknowledged before, and nothing half done', async (t) => {
    await assertWholeUnderWrites(t, { place, elsewhere: emptyPlace(t), service, category })
  })

  test('is readable by its owner only, holds the key, and is served as it was once it is restored', async (t) => {
    const folder = emptyFolder(t)
    const backup = await succeeds(place, ['backup', folder])
    assert.deepEqual(namesIn(folder), [backup.slice(folder.length + 1)])
    assert.match(backup, /backup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/)
    assert.equal(statSync(backup).mode & 0o777, 0o700)
    for (const name of namesIn(backup)) assert.equal(statSync(join(backup, name)).mode & 0o777, 0o600, name)
    assert.deepEqual(namesIn(backup), ['backup.json', 'knowledge.db', 'secret.key'])

    const elsewhere = emptyPlace(t)
    await succeeds(elsewhere, ['restore', backup])
    const key = (dataDir: string): string => readFileSync(join(dataDir, 'secret.key'), 'utf8')
    assert.equal(key(elsewhere.options.dataDir), key(place.options.dataDir))
    assert.deepEqual(namesIn(elsewhere.options.dataDir), ['knowledge.db', 'secret.key'])
    const [one, other] = [place, elsewhere].map(({ options }) => openDatabase({ ...options, readOnly: true }))
    try {
      // The service goes on, and counts by itself what its tenants have and use. The command notes the backup after it.
      const counted = { tenant_usage: [], usage_days: [], backup_state: [] }
      assert.deepEqual({ ...(await everything(other)), ...counted }, { ...(await everything(one)), ...counted })
    } finally {
      await one.close()
      await other.close()
    }
    const again = await ServiceProcess.start(elsewhere)
    t.after(() => again.kill())
    const list = await again.call('GET', '/api/knowledge/knowledge-entries', { key: ADMIN_KEY })
    assert.equal(list.status, 200)
    assert.ok(list.body.length > 0)
  })

  test('is refused by a place that has a database, and by one with another key', async (t) => {
    const backup = await succeeds(place, ['backup', emptyFolder(t)])
    assert.match(await refuses(place, ['restore', backup]), /has a database, and a restore replaces nothing/)
    const elsewhere = emptyPlace(t)
    const SECRET_KEY = 'another key that is quite long enough'
    assert.match(await refuses(elsewhere, ['restore', backup], { SECRET_KEY }), /SECRET_KEY is another key/)
    const file = join(elsewhere.options.dataDir, 'secret.key')
    writeFileSync(file, `${'x'.repeat(43)}\n`)
    assert.match(await refuses(elsewhere, ['restore', backup]), /secret\.key is another key/)
    assert.deepEqual(namesIn(elsewhere.options.dataDir), ['secret.key'])
    await succeeds(elsewhere, ['restore', backup, '--any-key'])
    assert.equal(readFileSync(file, 'utf8'), `${'x'.repeat(43)}\n`)
  })

  test('says that a key which is a setting is not in it, and is restored with that setting', async (t) => {
    const SECRET_KEY = 'a key that is quite long enough for it'
    const backup = await succeeds(place, ['backup', emptyFolder(t)], { SECRET_KEY })
    assert.deepEqual(namesIn(backup), ['backup.json', 'knowledge.db'])
    const elsewhere = emptyPlace(t)
    assert.match(await refuses(elsewhere, ['restore', backup]), /was made with a SECRET_KEY, which is not set/)
    await succeeds(elsewhere, ['restore', backup], { SECRET_KEY })
  })

  test('that was changed or cut off after it was written is refused, and leaves the place empty', async (t) => {
    const backup = await succeeds(place, ['backup', emptyFolder(t)])
    const elsewhere = emptyPlace(t)
    const file = join(backup, 'knowledge.db')
    const { size } = statSync(file)
    appendFileSync(file, 'x')
    assert.match(await refuses(elsewhere, ['restore', backup]), /is not as it was written/)
    truncateSync(file, size - 4_096)
    assert.match(await refuses(elsewhere, ['restore', backup]), /is not as it was written/)
    assert.deepEqual(namesIn(elsewhere.options.dataDir), [])
  })

  test('whose files are missing, cut, exchanged or linked is refused before anything is written', async (t) => {
    const backup = await succeeds(place, ['backup', emptyFolder(t)])
    const other = join(emptyFolder(t), 'other')
    const faults: Record<string, [change: (file: string) => void, said: RegExp]> = {
      missing: [(file) => rmSync(file), /is missing/],
      cut: [(file) => truncateSync(file, statSync(file).size - 1), /is not as it was written/],
      exchanged: [(file) => writeFileSync(file, `${'x'.repeat(43)}\n`), /is not as it was written/],
      linked: [(file) => symlinkSync(moved(file, other), file), /is no file but a link/],
      'linked hard': [(file) => linkSync(file, other), /has another name elsewhere/],
    }
    for (const name of ['secret.key', 'knowledge.db', 'backup.json'])
      for (const [fault, [change, said]] of Object.entries(faults)) {
        if (name === 'backup.json' && !fault.startsWith('linked')) continue
        const [folder, fresh] = [emptyFolder(t), join(emptyFolder(t), 'fresh')]
        const changed = join(folder, 'backup')
        cpSync(backup, changed, { recursive: true })
        rmSync(other, { force: true })
        change(join(changed, name))
        const line = await refuses({ options: { dataDir: fresh, databaseUrl: null } }, ['restore', changed])
        assert.match(line, said, `${name} ${fault}`)
        assert.match(line, new RegExp(`/${name.replace('.', '\\.')} `), `${name} ${fault}`)
        assert.equal(existsSync(fresh), false, `${name} ${fault}`)
      }
  })

  test('without its key is restored where the key is, or without a key where that is asked for', async (t) => {
    const backup = await succeeds(place, ['backup', emptyFolder(t)])
    const key = readFileSync(join(backup, 'secret.key'))
    rmSync(join(backup, 'secret.key'))
    const [with_, without] = [emptyPlace(t), emptyPlace(t)]
    writeFileSync(join(with_.options.dataDir, 'secret.key'), key)
    await succeeds(with_, ['restore', backup])
    await succeeds(without, ['restore', backup, '--any-key'])
    assert.deepEqual(namesIn(without.options.dataDir), ['knowledge.db'])
  })

  test('whose sealed values its key does not open is refused, though key and description agree', async (t) => {
    const sealing = emptyPlace(t)
    await succeeds(sealing, ['restore', await succeeds(place, ['backup', emptyFolder(t)])])
    await sealSalt(sealing)
    const backup = await succeeds(sealing, ['backup', emptyFolder(t)])
    const manifest = JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8')) as Record<string, object>
    assert.deepEqual(manifest.seals, { 'visitor_salts.sealed': { sealed: 1, opened: 1 } })
    await succeeds(emptyPlace(t), ['restore', backup])

    const other = 'x'.repeat(43)
    writeFileSync(join(backup, 'secret.key'), `${other}\n`)
    const note = { ...manifest, secret: { kept: 'file', fingerprint: fingerprintOf(other) } }
    // A backup of an earlier version has no counts.
    for (const seals of [manifest.seals, undefined]) {
      writeFileSync(join(backup, 'backup.json'), JSON.stringify({ ...note, seals }))
      const elsewhere = emptyPlace(t)
      assert.match(await refuses(elsewhere, ['restore', backup]), /opens 0 of 1 sealed values of visitor_salts\.sealed/)
      assert.deepEqual(namesIn(elsewhere.options.dataDir), [])
      await succeeds(elsewhere, ['restore', backup, '--any-key'])
    }
  })

  test('of values that were shut already is restored as it was', async (t) => {
    const sealing = emptyPlace(t)
    await succeeds(sealing, ['restore', await succeeds(place, ['backup', emptyFolder(t)])])
    await sealSalt(sealing)
    writeFileSync(join(sealing.options.dataDir, 'secret.key'), `${'x'.repeat(43)}\n`)
    await succeeds(emptyPlace(t), ['restore', await succeeds(sealing, ['backup', emptyFolder(t)])])
  })

  test('whose restore is killed leaves nothing that another restore or a start does not remove', async (t) => {
    const backup = await succeeds(place, ['backup', emptyFolder(t)])
    const elsewhere = emptyPlace(t)
    const { dataDir } = elsewhere.options
    const killed = start(elsewhere, ['restore', backup])
    await until(async () => namesIn(dataDir).length > 0, 'the restore has begun')
    killed.process.kill('SIGKILL')
    assert.notEqual((await killed.finished).code, 0)
    assert.ok(!namesIn(dataDir).includes('knowledge.db'))
    // As a restore leaves it that is killed between its two last steps: the key is there, and the data are not.
    const part = join(dataDir, `.backup-part-${hostname()}-${killed.process.pid}`)
    mkdirSync(part, { recursive: true })
    writeFileSync(join(part, 'secret.key'), `${'x'.repeat(43)}\n`)
    rmSync(join(dataDir, 'secret.key'), { force: true })
    linkSync(join(part, 'secret.key'), join(dataDir, 'secret.key'))
    await succeeds(elsewhere, ['restore', backup])
    assert.deepEqual(namesIn(dataDir), ['knowledge.db', 'secret.key'])
    assert.equal(readFileSync(join(dataDir, 'secret.key'), 'utf8'), readFileSync(join(backup, 'secret.key'), 'utf8'))
    mkdirSync(part)
    const again = await ServiceProcess.start(elsewhere)
    t.after(() => again.kill())
    assert.equal(existsSync(part), false)
  })

  test('that names a file beside itself, or does not say what every backup says, is no backup', async (t) => {
    const folder = emptyFolder(t)
    const backup = await succeeds(place, ['backup', join(folder, 'backup-2027-02-19T04-06-00.000Z')])
    const elsewhere = emptyPlace(t)
    const note = join(backup, 'backup.json')
    const honest = JSON.parse(readFileSync(note, 'utf8')) as Record<string, unknown>
    copyFileSync(join(backup, 'knowledge.db'), join(folder, 'other.db'))
    const written = [{ ...honest, file: '../other.db' }, { ...honest, migrations: 'none' }, { format: 1 }, null, []]
    for (const each of written) {
      writeFileSync(note, JSON.stringify(each))
      assert.match(await refuses(elsewhere, ['restore', backup]), /is not a backup/, JSON.stringify(each))
    }
    writeFileSync(note, JSON.stringify({ ...honest, format: 2 }))
    assert.match(await refuses(elsewhere, ['restore', backup]), /which is newer than this one/)
    assert.ok((await refuses(elsewhere, ['restore', folder])).endsWith(`such as ${backup}`))
    assert.deepEqual(namesIn(elsewhere.options.dataDir), [])
  })

  test('replaces nothing, and a folder of backups is no backup', async (t) => {
    const folder = emptyFolder(t)
    const file = join(folder, 'file')
    writeFileSync(file, 'mine')
    assert.match(await refuses(place, ['backup', file]), /exists already/)
    assert.equal(readFileSync(file, 'utf8'), 'mine')
    const elsewhere = emptyPlace(t)
    assert.match(await refuses(elsewhere, ['restore', folder]), /is not a backup/)
    assert.match(await refuses(elsewhere, ['restore', join(folder, 'none')]), /There is no backup at/)
    const newest = await succeeds(place, ['backup', folder])
    assert.ok((await refuses(elsewhere, ['restore', folder])).endsWith(`such as ${newest}`))
    assert.match(await refuses(place, ['backup', newest]), /is a backup already/)
    assert.match(
      await refuses(elsewhere, ['backup', join(folder, 'x')]),
      /There is no database.* Set DATABASE_URL or DATA_DIR/,
    )
    assert.match(await refuses(place, ['backup', join(file, 'below')]), /^Cannot write to .*\/file \(E\w+\)\.$/)
    assert.deepEqual(namesIn(folder), [newest.slice(folder.length + 1), 'file'])
  })

  test('of a damaged database is refused in one line, and leaves nothing', async (t) => {
    const [damaged, folder] = [emptyPlace(t), emptyFolder(t)]
    await succeeds(damaged, ['restore', await succeeds(place, ['backup', folder])])
    const file = join(damaged.options.dataDir, 'knowledge.db')
    const handle = openSync(file, 'r+')
    for (let at = 4_096 * 8; at < statSync(file).size; at += 4_096 * 8) writeSync(handle, 'damage'.repeat(400), at)
    closeSync(handle)
    assert.match(await refuses(damaged, ['backup', join(folder, 'x')]), /is damaged/)
    assert.equal(namesIn(folder).length, 1)
  })

  test('that ends by kill -9 leaves nothing under its name, and what it left the next one removes', async (t) => {
    const folder = emptyFolder(t)
    const killed = start(place, ['backup', join(folder, 'killed')])
    await until(async () => namesIn(folder).length > 0, 'the backup has begun')
    killed.process.kill('SIGKILL')
    assert.notEqual((await killed.finished).code, 0)
    assert.equal(namesIn(folder).length, 1)
    assert.match(namesIn(folder)[0], /^\.backup-part-/)
    await succeeds(place, ['backup', join(folder, 'whole')])
    assert.deepEqual(namesIn(folder), ['whole'])
  })
})
