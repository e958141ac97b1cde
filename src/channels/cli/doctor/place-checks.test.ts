import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../../config.ts'
import { readSecretFile } from '../../../platform/secret-file.ts'
import { checkMemory, checkSecret, checkSpace } from './place-checks.ts'

test('the doctor says when the secret key is unreadable or not shared, and does not create one', async (t) => {
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

test('the doctor looks for space where PostgreSQL has the data too, for the search indexes on disk', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'knowledge-doctor-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const say = async (settings: Record<string, string>) =>
    (await checkSpace(readConfig({ DATA_DIR: dataDir, ...settings }))).text
  const postgres = { DATABASE_URL: 'postgres://db.example/knowledge' }
  assert.match(await say({}), /GB free on the disk of the data/)
  assert.match(await say(postgres), /GB free on the disk of the data/)
  assert.equal(await say({ ...postgres, SEARCH_SNAPSHOT_MB: '0' }), 'no space is needed here')
})

test("the doctor says when Node's heap is too small for the configured search memory", async (t) => {
  const before = process.env.NODE_OPTIONS
  t.after(() => {
    if (before === undefined) delete process.env.NODE_OPTIONS
    else process.env.NODE_OPTIONS = before
  })
  const check = async (options: string, mb: number) => {
    process.env.NODE_OPTIONS = options
    return checkMemory(readConfig({ SEARCH_MEMORY_MB: `${mb}` }))
  }
  assert.equal((await check('', 2_048)).verdict, 'ok')
  assert.equal((await check('--max-old-space-size=400', 64)).verdict, 'ok')
  const short = await check('--no-warnings --max-old-space-size=400', 2_048)
  assert.deepEqual([short.verdict, short.text.includes('room for 96 MB')], ['warn', true])
})
