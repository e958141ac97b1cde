import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { MALLOC_SETTINGS } from '../../scripts/runtime.mjs'
import { BOTH_ID } from '../../src/embedding/builtin/ids.ts'
import type { EmbeddingStatus } from '../../src/embedding/contract.ts'
import { VERSION } from '../../src/platform/version.ts'
import { ADMIN_KEY } from '../durability/service-process.ts'
import { freePort } from '../support/free-port.ts'
import { type HeardProcess, spawnHeard } from '../support/heard-process.ts'
import { machinePath } from '../support/optional-programs.ts'
import { until } from '../support/patience.ts'
import { isWhole } from '../support/tier.ts'

const LAUNCHER = readFileSync('deploy/archive/knowledge', 'utf8')

test('the launcher of the archive gives Node the memory settings that npm start gives it', () => {
  for (const [name, value] of Object.entries(MALLOC_SETTINGS))
    assert.ok(LAUNCHER.includes(`export ${name}="\${${name}:-${value}}"`), name)
})

const skip = (!isWhole || process.platform === 'win32') && 'the archive is made in the whole run alone'

describe('the archive', { skip }, () => {
  let folder: string
  let archive: string
  let program: string
  let port: number
  const children: HeardProcess[] = []

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'knowledge-archive-'))
    port = await freePort()
    archive = (await promisify(execFile)('deploy/archive/make.sh', [folder])).stdout.trim()
    await promisify(execFile)('tar', ['-xzf', archive, '-C', folder])
    program = join(folder, `knowledge-service-${VERSION}`)
    // What the launcher calls, and none of git, npm and node.
    mkdirSync(join(folder, 'bin'))
    for (const name of ['dirname', 'readlink', 'sh']) symlinkSync(machinePath(name)!, join(folder, 'bin', name))
  })
  after(() => {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  function run(args: readonly string[], settings: Record<string, string> = {}): HeardProcess {
    const env = { PATH: join(folder, 'bin'), DATA_DIR: join(folder, 'data'), PORT: String(port), ...settings }
    const child = spawnHeard(join(program, 'bin/knowledge'), args, { cwd: tmpdir(), env })
    children.push(child)
    return child
  }

  test('names its version and its kind of machine, and lies beside its checksum', () => {
    const system = `${process.platform}-${process.arch}`
    assert.equal(basename(archive), `knowledge-service-${VERSION}-${system}.tar.gz`)
    const [checksum, name] = readFileSync(`${archive}.sha256`, 'utf8').trim().split(/\s+/)
    assert.equal(name, basename(archive))
    assert.equal(createHash('sha256').update(readFileSync(archive)).digest('hex'), checksum)
    for (const path of ['docs/operations.md', 'deploy/systemd/knowledge.service', 'CHANGELOG.md'])
      assert.ok(existsSync(join(program, path)), path)
  })

  test('serves and answers searches on a machine without git, npm and Node', async () => {
    const service = run(['serve'], { BOOTSTRAP_API_KEY: ADMIN_KEY, STOP_DELAY_SECONDS: '0' })
    await until(
      () => {
        assert.equal(service.exitCode, null, service.said)
        return service.said.includes('is ready at')
      },
      () => `the service is ready: ${service.said}`,
    )
    const call = async (path: string, body?: object) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      assert.ok(answer.ok, `${path}: ${answer.status}`)
      return answer
    }
    for (const path of ['/healthz', '/console', '/docs']) await call(path)
    const { id } = (await (await call('/api/knowledge/categories', { name: 'One' })).json()) as { id: string }
    const entries = '/api/knowledge/knowledge-entries'
    await call(entries, { title: 'Lampe', content: 'Sie macht Licht.', category_id: id })
    const hits = (await (await call(`${entries}/search`, { query: 'Licht' })).json()) as { entry: { title: string } }[]
    assert.deepEqual(
      hits.map((hit) => hit.entry.title),
      ['Lampe'],
    )
    await until(async () => {
      const status = (await (await call('/api/knowledge/embedding-status')).json()) as EmbeddingStatus
      assert.deepEqual([status.unread_reason, status.failing], [null, 0])
      return status.pending === 0 && status.model === BOTH_ID
    }, 'the contextual model, too, has read the entry')
    service.kill('SIGTERM')
    assert.deepEqual(await once(service, 'exit'), [0, null], service.said)
  })

  test('has the command line, which names itself in its messages', async () => {
    const child = run(['serve', '--help'])
    assert.deepEqual(await once(child, 'exit'), [0, null], child.said)
    assert.match(child.said, /bin\/knowledge /)
  })
})
