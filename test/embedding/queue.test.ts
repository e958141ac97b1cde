import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { QueueThread } from '../../src/embedding/queue-thread.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import type { Service } from '../../src/server.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { assertConsistent } from '../durability/consistency.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { testConfig } from '../support/service.ts'
import { Provider, REFUSED_WORD } from './provider.ts'
import { call, ENTRIES, reached, search, Stage } from './stage.ts'
import { until } from '../support/patience.ts'

onAnyDatabase('the embedding queue', (kind) => {
  let stage: Stage
  let provider: Provider
  let service: Service

  before(async () => {
    provider = await Provider.start()
    stage = await Stage.open(kind)
    service = await stage.start(provider.settings('model-a'))
  })
  after(async () => {
    await stage.close()
    await provider.stop()
  })

  test('lets writes succeed while the provider is down, and catches up afterwards', async () => {
    await stage.create(service, 'Before', 'the heron')
    await reached(service, ({ items, embedded }) => items === embedded)
    provider.isDown = true
    const id = await stage.create(service, 'During', 'the cormorant')
    assert.equal((await call(service, 'GET', `${ENTRIES}/${id}`)).body.embedding_model, null)
    const byKeyword = await search(service, 'cormorant', 'keyword')
    assert.deepEqual([byKeyword.status, byKeyword.body[0].entry.id], [200, id])
    const byBoth = await search(service, 'cormorant', 'hybrid')
    assert.deepEqual([byBoth.status, byBoth.body[0].entry.id], [200, id])
    assert.equal(byBoth.headers.get('x-search-degraded'), 'embedding')
    const request = { query: 'cormorant', mode: 'hybrid', min_similarity: 0.1 }
    const withMinimum = await call(service, 'POST', `${ENTRIES}/search`, request)
    assert.equal(withMinimum.body[0].entry.id, id)
    const byMeaning = await search(service, 'cormorant', 'semantic')
    assert.equal(byMeaning.status, 503)
    assert.ok(Number(byMeaning.headers.get('retry-after')) >= 1)
    const waiting = await reached(service, ({ failing }) => failing === 1)
    assert.match(waiting.last_error!, /provider/)
    await assertConsistent(stage.database)
    provider.isDown = false
    await reached(service, ({ items, embedded }) => items === embedded)
    await assertConsistent(stage.database)
  })

  test('embeds the other texts of a batch with a refused one, and the refused text once it is changed', async () => {
    const lines = Array.from({ length: 40 }, (_, i) =>
      JSON.stringify({
        title: `Batch ${i}`,
        content: i === 7 ? `This is ${REFUSED_WORD}` : `Text ${i}`,
        category_id: stage.category,
        source_reference: `batch/${i}`,
      }),
    )
    assert.equal((await call(service, 'POST', `${ENTRIES}/bulk`, lines.join('\n'))).status, 200)
    await reached(service, ({ items, embedded, failing }) => embedded === items - 1 && failing === 1)
    const mended = lines[7].replace(REFUSED_WORD, 'harmless')
    assert.match((await call(service, 'POST', `${ENTRIES}/bulk`, mended)).body, /"updated"/)
    await reached(service, ({ items, embedded, pending }) => embedded === items && pending === 0)
  })

  test('one tenant’s large backlog does not delay another tenant', async () => {
    const key = await neighbourKey(stage)
    const category = await stage.newCategory(service, key)
    await stage.import(service, 1, { key, category })
    await reached(service, ({ items, embedded }) => items === embedded, key)
    const release = provider.hold(() => true)
    await stage.import(service, 300)
    await stage.import(service, 1, { key, category, name: 'Urgent' })
    release()
    await reached(service, ({ items, embedded }) => items === embedded, key)
    await reached(service, ({ items, embedded }) => items === embedded)
    const urgent = provider.texts.findIndex((text) => text.includes('Urgent 0'))
    const behind = provider.texts.slice(urgent + 1)
    assert.ok(urgent >= 0 && behind.length > 150, `${behind.length} texts of the large backlog came after the other`)
    await assertConsistent(stage.database)
  })

  test('restarts its thread after a crash', async () => {
    await stage.stop(service)
    const { queries } = stage.database
    await queries.deleteFrom('entry_vectors').execute()
    await queries.updateTable('entries').set({ embedding_model: null }).execute()
    await queries.updateTable('tenants').set({ embedding_model: null }).execute()
    const { dataDir, databaseUrl } = stage.place.options
    const { embedding } = testConfig(stage.place, provider.settings('model-a'))
    const warnings: string[] = []
    const targetsModule = new URL('crashing-targets.ts', import.meta.url).href
    const log = { warn: (_details: object, message: string) => void warnings.push(message) }
    const thread = new QueueThread(
      { database: { dataDir, databaseUrl }, embedding, targetsModule, startedAt: Date.now() },
      log,
    )
    const remaining = () => queries.selectFrom('entries').select('id').where('embedding_model', 'is', null).execute()
    await until(async () => (await remaining()).length === 0, 'the second life has made the vectors')
    assert.deepEqual(warnings, ['the embedding thread ended and is started again'])
    await thread.close()
    await assertConsistent(stage.database)
  })
})

async function neighbourKey({ database }: Stage): Promise<string> {
  await createTenant(database, { id: 'neighbour', name: 'Neighbour', host: null })
  const { id: userId } = await createUser(database, 'neighbour', { email: 'n@example.com', name: 'N', role: 'admin' })
  const scopes = ROLE_SCOPES.admin
  return (await issueApiKey(database, 'neighbour', { name: 'n', scopes, userId, expiresAt: null })).key
}
