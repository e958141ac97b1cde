import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'
import { readSecretFile } from '../../secret-file.ts'
import { checkSecret } from './place-checks.ts'

test('the doctor says when the secret key cannot be read, or is not shared, and makes none', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-doctor-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const check = async (settings: Record<string, string> = {}) =>
    (await checkSecret(readConfig({ DATA_DIR: dataDir, ...settings }))).verdict
  const postgres = { DATABASE_URL: 'postgres://db.example/knowledge' }
  const SECRET_KEY = 'x'.repeat(32)
  assert.equal(await check(), 'ok')
  assert.equal(await check(postgres), 'warn')
  assert.deepEqual(readdirSync(dataDir), [])
  readSecretFile(dataDir)
  assert.equal(await check(), 'ok')
  assert.equal(await check(postgres), 'warn')
  assert.equal(await check({ ...postgres, SECRET_KEY }), 'ok')
  writeFileSync(join(dataDir, 'secret.key'), 'half a ke')
  assert.equal(await check(), 'fail')
  assert.equal(await check({ SECRET_KEY }), 'ok')
})
