import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { spawn, spawnSync } from 'node:child_process'
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
import { onAnyDatabase } from '../support/databases.ts'
import { MAIN, SURROUNDINGS } from '../support/program.ts'
import { holdLock } from './lock-holder.ts'
import { Program } from './program.ts'
import { HANG_MS, until } from '../support/patience.ts'

/** Id of a user who is not root and owns no file of these tests. */
const NOBODY = 65_534

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'knowledge-start-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Returns a data directory that a service has used. */
async function used(t: TestContext): Promise<string> {
  const dataDir = folder(t)
  const database = openDatabase({ dataDir, databaseUrl: null })
  await migrate(database)
  await database.close()
  return dataDir
}

function hasOpened({ child: { pid } }: Program, file: string): boolean {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).some((name) => {
    try {
      return readlinkSync(join(folder, name)) === file
    } catch {
      // The file has been closed meanwhile.
      return false
    }
  })
}

/** Fails unless the program ends with exit code 1 and one plain line that names the directory. */
async function refuses(dataDir: string, reason: RegExp, uid?: number): Promise<void> {
  const program = new Program({ dataDir, databaseUrl: null }, uid)
  assert.equal(await program.ended(), 1, program.output)
  assert.equal(program.output.trim().split('\n').length, 1, program.output)
  assert.ok(program.output.includes(dataDir), program.output)
  assert.match(program.output, reason)
}

/** Returns a user who cannot write to the directory; undefined for the user that runs the tests. */
function stranger(dir: string): number | undefined {
  if (process.getuid?.() !== 0) return undefined
  // Only root may pass the folders above, unless they are opened.
  chmodSync(dir, 0o755)
  return NOBODY
}

// Each test starts a process and waits for its end; two at a time keep both cores busy.
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

  test('is refused at once when no data directory can be made at that place', async (t) => {
    if (process.platform !== 'linux') return t.skip('only Linux has such a folder')
    await refuses('/proc/knowledge', /Cannot use the data directory .*(ENOENT|EACCES|EPERM)/)
  })

  test('on a taken port ends with one line, and the next start creates and shows the first key', async (t) => {
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
    const { url } = await second.ready()
    await second.says(/Bearer \$KNOWLEDGE_API_KEY[^]*npm run knowledge -- key issue --name NAME --role admin/)
    if (process.platform !== 'linux') return
    // Doctor, called from a shell without the service's PORT, still finds the service.
    taken.close()
    await once(taken, 'close')
    const finding = () => checkPort(readConfig({ DATA_DIR: place.dataDir, PORT: String(port) }))
    assert.deepEqual(await finding(), {
      verdict: 'ok',
      text:
        `no service runs on 127.0.0.1:${port}, by this shell's PORT; ` +
        `the service in process ${second.child.pid} listens on port ${new URL(url).port}: ` +
        'give the doctor the PORT and HOST of the service',
    })
    assert.equal(await second.stop(), 0)
    assert.match((await finding()).text, /is free: no service runs there/)
  })

  test('is refused when the data directory is read-only, and leaves its content unchanged', async (t) => {
    const dir = await used(t)
    const uid = stranger(dir)
    for (const name of readdirSync(dir)) chmodSync(join(dir, name), 0o444)
    chmodSync(dir, 0o555)
    const before = readFileSync(databaseFile(dir))
    await refuses(dir, /Cannot use the data directory .*(readonly|read-only|unable to open).*\. Check who owns it/, uid)
    assert.deepEqual(readFileSync(databaseFile(dir)), before)
    chmodSync(dir, 0o755)
  })

  test('of a command is refused to another user, who is not told that there is no database', async (t) => {
    const dir = await used(t)
    const uid = stranger(dir)
    chmodSync(dir, 0)
    const env = { ...SURROUNDINGS, DATA_DIR: dir, DATABASE_URL: '' }
    const done = spawnSync(process.execPath, [MAIN, 'key', 'list'], { env, uid, gid: uid, encoding: 'utf8' })
    chmodSync(dir, 0o755)
    assert.equal(done.status, 1, done.stderr)
    assert.match(done.stderr, /^Cannot use the data directory .* Check who owns it: [^\n]*\n$/)
  })

  test('is refused when the file is not a database, and leaves it unchanged', async (t) => {
    const dir = folder(t)
    writeFileSync(databaseFile(dir), 'This is a letter to my mother.\n'.repeat(1_000))
    await refuses(dir, /Cannot use the data directory .*not a database/)
    assert.match(readFileSync(databaseFile(dir), 'utf8'), /^This is a letter/)
  })

  for (const [where, intact] of [
    ['in its schema', 100],
    ['beyond its schema', 4_096],
  ] as const) {
    test(`is refused when the database is damaged ${where}, and leaves it unchanged`, async (t) => {
      const dir = await used(t)
      const bytes = readFileSync(databaseFile(dir)).fill(0xff, intact)
      writeFileSync(databaseFile(dir), bytes)
      await refuses(dir, /malformed/)
      assert.deepEqual(readFileSync(databaseFile(dir)), bytes)
    })
  }

  test('waits while another process holds the lock, and continues when it is free', async (t) => {
    const dir = await used(t)
    const release = await holdLock(dir)
    const program = new Program({ dataDir: dir, databaseUrl: null })
    t.after(() => program.child.kill('SIGKILL'))
    // The program prints nothing while it waits. It meets the lock as soon as it has opened the database.
    if (process.platform === 'linux') await until(() => hasOpened(program, databaseFile(dir)), 'the database is opened')
    await new Promise((resolve) => setTimeout(resolve, 500))
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

  test('of another user on its own directory succeeds, which gives the refusals above their meaning', async (t) => {
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

onAnyDatabase('a start that fails after it has opened everything', (kind) => {
  test('closes everything again, so that the process ends by itself', async (t) => {
    const place = await kind.create()
    t.after(() => place.remove())
    const { dataDir, databaseUrl } = place.options
    const env = { ...SURROUNDINGS, PORT: '0', DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' }
    const child = spawn(process.execPath, [join(import.meta.dirname, 'broken-start.ts')], { env })
    t.after(() => child.kill('SIGKILL'))
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    const late = setTimeout(() => child.kill('SIGKILL'), HANG_MS)
    const [code] = await once(child, 'close')
    clearTimeout(late)
    assert.deepEqual([code, output], [0, 'no app in this test\n'])
  })
})
