import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { checkPort } from '../../src/channels/cli/doctor/place-checks.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { databaseFile } from '../../src/platform/database/sqlite-file.ts'
import { holdLock } from './lock-holder.ts'
import { Program } from './program.ts'

/** Neither root nor the owner of anything here. */
const NOBODY = 65_534

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'knowledge-start-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A data directory as a service leaves it behind. */
async function used(t: TestContext): Promise<string> {
  const dataDir = folder(t)
  const database = openDatabase({ dataDir, databaseUrl: null })
  await migrate(database)
  await database.close()
  return dataDir
}

/** The program gives up with one plain line that names the directory, and exit code 1. */
async function refuses(dataDir: string, reason: RegExp, uid?: number): Promise<void> {
  const program = new Program({ dataDir, databaseUrl: null }, uid)
  assert.equal(await program.ended(), 1, program.output)
  assert.equal(program.output.trim().split('\n').length, 1, program.output)
  assert.ok(program.output.includes(dataDir), program.output)
  assert.match(program.output, reason)
}

/** As which user the directory cannot be written; undefined is the one that runs the tests. */
function stranger(dir: string): number | undefined {
  if (process.getuid?.() !== 0) return undefined
  // Above it lie folders that only root may pass, unless they are opened.
  chmodSync(dir, 0o755)
  return NOBODY
}

// Each starts a process and waits for its end: two at a time keep both cores busy.
describe('the start', { concurrency: 2 }, () => {
  test('is refused when the data directory is a file', async (t) => {
    const file = join(folder(t), 'data')
    writeFileSync(file, 'mine')
    await refuses(file, /Cannot use the data directory .*(EEXIST|ENOTDIR)/)
    assert.equal(readFileSync(file, 'utf8'), 'mine')
  })

  test('is refused when the data directory cannot be made', async (t) => {
    const dir = folder(t)
    chmodSync(dir, 0o555)
    await refuses(join(dir, 'data'), /Cannot use the data directory .*EACCES/, stranger(dir))
  })

  test('is refused at once when nothing can be made where the data directory should be', async (t) => {
    if (process.platform !== 'linux') return t.skip('only Linux has such a folder')
    await refuses('/proc/knowledge', /Cannot use the data directory .*(ENOENT|EACCES|EPERM)/)
  })

  test('on a taken port ends with one line, and the first key is shown by the next start, which makes it', async (t) => {
    const place = { dataDir: join(folder(t), 'not/there/yet'), databaseUrl: null }
    const taken = createServer().listen(0, '127.0.0.1')
    t.after(() => taken.close())
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const refused = new Program(place, undefined, port)
    assert.equal(await refused.ended(), 1, refused.output)
    const [complaint, ...more] = refused.output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
    assert.match(complaint, new RegExp(`^Cannot listen on 127.0.0.1:${port} .*PORT=`))
    assert.deepEqual(more, [])

    const first = new Program(place)
    t.after(() => first.child.kill('SIGKILL'))
    const { key } = await first.ready()
    assert.match(key ?? '', /^ks_[0-9A-Za-z]{40}$/)
    assert.doesNotMatch(first.output, /KNOWLEDGE_API_KEY|key issue/)
    assert.equal(await first.stop(), 0)

    const second = new Program(place)
    t.after(() => second.child.kill('SIGKILL'))
    await second.says(/Bearer \$KNOWLEDGE_API_KEY[^]*npm run knowledge -- key issue --name NAME --role admin/)
    if (process.platform !== 'linux') return
    // Doctor, called from a shell that has not the service's PORT, sees that there is a service all the same.
    taken.close()
    await once(taken, 'close')
    const finding = () => checkPort(readConfig({ DATA_DIR: place.dataDir, PORT: String(port) }))
    assert.deepEqual(await finding(), {
      verdict: 'ok',
      text:
        `no service runs on 127.0.0.1:${port}, by this shell's PORT; ` +
        `the service in process ${second.child.pid} listens elsewhere`,
    })
    assert.equal(await second.stop(), 0)
    assert.match((await finding()).text, /is free: no service runs there/)
  })

  test('is refused when the data directory is read-only, and leaves what is there as it was', async (t) => {
    const dir = await used(t)
    const uid = stranger(dir)
    for (const name of readdirSync(dir)) chmodSync(join(dir, name), 0o444)
    chmodSync(dir, 0o555)
    const before = readFileSync(databaseFile(dir))
    await refuses(dir, /Cannot use the data directory .*(readonly|read-only|unable to open)/, uid)
    assert.deepEqual(readFileSync(databaseFile(dir)), before)
    chmodSync(dir, 0o755)
  })

  test('is refused when the file is no database, and leaves it as it was', async (t) => {
    const dir = folder(t)
    writeFileSync(databaseFile(dir), 'This is a letter to my mother.\n'.repeat(1_000))
    await refuses(dir, /Cannot use the data directory .*not a database/)
    assert.match(readFileSync(databaseFile(dir), 'utf8'), /^This is a letter/)
  })

  for (const [where, intact] of [
    ['in its schema', 100],
    ['beyond its schema', 4_096],
  ] as const) {
    test(`is refused when the database is damaged ${where}, and leaves it as it was`, async (t) => {
      const dir = await used(t)
      const bytes = readFileSync(databaseFile(dir)).fill(0xff, intact)
      writeFileSync(databaseFile(dir), bytes)
      await refuses(dir, /malformed/)
      assert.deepEqual(readFileSync(databaseFile(dir)), bytes)
    })
  }

  test('waits while another process holds the lock, and goes on when it is free', async (t) => {
    const dir = await used(t)
    const release = await holdLock(dir)
    const program = new Program({ dataDir: dir, databaseUrl: null })
    t.after(() => program.child.kill('SIGKILL'))
    // It says nothing while it waits; by then it has long met the lock.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    assert.equal(program.output, '')
    await release()
    await program.ready()
    assert.equal(await program.stop(), 0)
  })

  test('is refused when another process holds the lock for too long', async (t) => {
    const dir = await used(t)
    const release = await holdLock(dir)
    t.after(release)
    const program = new Program({ dataDir: dir, databaseUrl: null })
    assert.equal(await program.ended(), 1, program.output)
    assert.match(program.output, /^.*database is locked.*\n$/)
  })

  test('of another user on a directory of its own is fine, so that the refusals above mean something', async (t) => {
    if (process.getuid?.() !== 0) return t.skip('only root can start a program as another user')
    const dir = folder(t)
    const data = join(dir, 'data')
    mkdirSync(data)
    cpSync(await used(t), data, { recursive: true })
    for (const path of [dir, data, databaseFile(data)]) chownSync(path, NOBODY, NOBODY)
    const program = new Program({ dataDir: data, databaseUrl: null }, NOBODY)
    await program.ready()
    assert.equal(await program.stop(), 0)
  })
})
