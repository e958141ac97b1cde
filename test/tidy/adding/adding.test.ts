import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { SURROUNDINGS } from '../../support/program.ts'
import { type Addition, FIELD, FILTER, PROVIDER, ROUTE, SETTING, TOOL } from './additions.ts'
import { found, HANG_MS } from '../../support/patience.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const COPIED = ['package.json', 'tsconfig.json', 'src', 'models', 'test', 'bench', 'scripts']
const ADDITIONS = [FIELD, FILTER, PROVIDER, TOOL, ROUTE, SETTING]
const KEY = `ks_${'a'.repeat(40)}`

/** A copy of the program with all additions, and a service that runs the copy. */
suite('adding to the program', () => {
  let copy: string
  let service: ChildProcess
  let url: string

  before(async () => {
    copy = mkdtempSync(join(tmpdir(), 'knowledge-adding-'))
    for (const name of COPIED) {
      cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') })
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
    for (const addition of ADDITIONS) add(addition, copy)
    service = spawn(process.execPath, [join(copy, 'src/main.ts'), 'serve'], {
      env: {
        ...SURROUNDINGS,
        DATA_DIR: join(copy, 'data'),
        PORT: '0',
        BOOTSTRAP_API_KEY: KEY,
        EMBEDDING_PROVIDER: 'letters',
        REQUEST_LOG_COLOURS: 'none',
      },
    })
    url = await addressOf(service)
  })
  after(async () => {
    // While it runs it writes files to its folder.
    if (service.kill('SIGKILL')) await once(service, 'exit')
    rmSync(copy, { recursive: true, force: true })
  })

  for (const { what, files, filesMax } of ADDITIONS) {
    test(`${what} takes at most ${filesMax} files`, () => {
      const count = Object.keys(files).length
      assert.ok(count <= filesMax, `${count} files`)
    })
  }

  test('the type checker needs no other file', () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json'], {
      cwd: copy,
      encoding: 'utf8',
    })
    // Tests state whole rows and entries on purpose, so that a change has to be checked there.
    const faults = stdout
      .split('\n')
      .filter((line) => line !== '' && !/^(?:test|bench)\/|^src\/.*\.test\.ts|^ /.test(line))
    assert.deepEqual(faults, [], `exit code ${status}`)
  })

  test('the new field is stored, changed, answered, and in versions', async () => {
    const { id: category } = await call('POST', '/api/knowledge/categories', { name: 'Guides' })
    const draft = {
      title: 'First steps',
      content: 'How to begin.',
      category_id: category,
      source_reference: 'first.md',
    }
    const entry = await call('POST', '/api/knowledge/knowledge-entries', { ...draft, audience: 'staff' })
    assert.equal(entry.audience, 'staff')
    const changed = await call('PATCH', `/api/knowledge/knowledge-entries/${entry.id}`, { audience: 'everybody' })
    assert.equal(changed.audience, 'everybody')
    const first = await call('GET', `/api/knowledge/knowledge-entries/${entry.id}/versions/1`)
    assert.equal(first.audience, 'staff')
  })

  test('search filters by the new filter, with vectors of the new provider', { timeout: HANG_MS }, async () => {
    const search = (origin: string) =>
      call('POST', '/api/knowledge/knowledge-entries/search', {
        query: 'begin',
        filter: { field: 'origin', any_of: [origin] },
        mode: 'semantic',
      })
    // The queue makes the vectors of a provider that is not built in, after the write was answered.
    const [hit] = await found(async () => {
      const hits = await search('first.md')
      return hits.length === 0 ? null : hits
    }, 'the entry has a vector')
    assert.equal(hit.entry.embedding_model, 'letters:count:26')
    assert.deepEqual(await search('other.md'), [])
  })

  test('the new tool and the new route answer', async () => {
    const { result } = await call('POST', '/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'count_categories', arguments: {} },
    })
    assert.equal(result.structuredContent.total, 1)
    assert.deepEqual(await call('GET', '/api/knowledge/category-names'), { names: ['Guides'] })
  })

  test('the new setting has a place in the help, and faults', () => {
    const main = join(copy, 'src/main.ts')
    const help = spawnSync(process.execPath, [main, 'serve', '--help'], { encoding: 'utf8', env: SURROUNDINGS })
    assert.match(help.stdout, /REQUEST_LOG_COLOURS +The colours of the log\. \(default many\)/)
    const env = { ...SURROUNDINGS, REQUEST_LOG_COLOURS: 'some' }
    const start = spawnSync(process.execPath, [main, 'serve'], { encoding: 'utf8', env })
    assert.match(start.stderr, /REQUEST_LOG_COLOURS must be one of many, none/)
  })

  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        accept: 'application/json, text/event-stream',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  }
})

function add({ files }: Addition, root: string): void {
  for (const [name, change] of Object.entries(files)) {
    const path = join(root, name)
    if (typeof change === 'string') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, change)
      continue
    }
    let text = readFileSync(path, 'utf8')
    for (const insertion of change) {
      const place = 'behind' in insertion ? insertion.behind : insertion.before
      assert.ok(text.includes(place), `${name} no longer has ${JSON.stringify(place)}: follow it in additions.ts`)
      const both = 'behind' in insertion ? place + insertion.text : insertion.text + place
      text = text.replaceAll(place, () => both)
    }
    writeFileSync(path, text)
  }
}

/**
 * Returns the address where the service listens, from its output. Fails with the output when the service ends instead.
 */
function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let said = ''
  return new Promise((resolveUrl, reject) => {
    const hear = (text: string): void => {
      said += text
      const [address] = /http:\/\/localhost:\d+/.exec(said) ?? []
      if (address !== undefined) resolveUrl(address)
    }
    for (const stream of [stdout!, stderr!]) stream.setEncoding('utf8').on('data', hear)
    stdout!.once('end', () => reject(new Error(`the copy did not start:\n${said}`)))
  })
}
