import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { OperatorStage, TENANTS } from './stage.ts'

const SCRIPT = 'examples/operator/create-tenants.mjs'
/** Number of tenants: enough that the script works on several at once. The benchmark makes 300. */
const COUNT = 40

onAnyDatabase('the script of an operator', (kind) => {
  test('makes many tenants, each with a key and settings, and changes nothing when it runs again', async () => {
    const stage = await OperatorStage.start(kind)
    const folder = mkdtempSync(join(tmpdir(), 'knowledge-script-'))
    const file = join(folder, 'tenants.jsonl')
    const run = () =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const env = { PATH: process.env.PATH, KNOWLEDGE_OPERATOR_KEY: stage.key }
        execFile(process.execPath, [SCRIPT, stage.service.service.url, file], { env }, (error, stdout, stderr) => {
          resolve({ code: Number(error?.code ?? 0), stdout, stderr })
        })
      })
    try {
      const tenants = Array.from({ length: COUNT }, (_, i) => ({
        id: `customer-${i}`,
        reference: `contract ${i}`,
        settings: { language: 'en', bin_days: 7 },
      }))
      writeFileSync(file, tenants.map((tenant) => `${JSON.stringify(tenant)}\n`).join(''))
      const first = await run()
      assert.deepEqual([first.code, first.stderr], [0, `${COUNT} created, 0 known, 0 failed\n`])
      const keys = first.stdout.trimEnd().split('\n')
      assert.equal(keys.length, COUNT)
      const [id, key] = keys[COUNT - 1].split('\t')
      const { tenant } = (await stage.service.call('GET', '/api/session', { key })).body
      assert.deepEqual(tenant, { id, name: id, language: 'en', foreign_pictures: false })
      const again = await run()
      assert.deepEqual([again.code, again.stdout, again.stderr], [0, '', `0 created, ${COUNT} known, 0 failed\n`])
      writeFileSync(file, `${JSON.stringify({ id: 'Not An Id', reference: 'x' })}\n`)
      const faulty = await run()
      assert.equal(faulty.code, 1)
      assert.match(faulty.stderr, /^Not An Id: 422 body\.id: .*\n0 created, 0 known, 1 failed\n$/)
      const listed = (await stage.call('GET', `${TENANTS}?q=customer-`)).body
      assert.equal(listed.length, COUNT)
    } finally {
      await stage.stop()
      rmSync(folder, { recursive: true })
    }
  })
})
