import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDatabase } from '../../src/platform/database/database.ts'
import { VERSION } from '../../src/platform/version.ts'
import { Provider, REFUSED_WORD } from '../embedding/provider.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { eventually, samplesOf } from './samples.ts'
import { until } from '../support/patience.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'

onAnyDatabase('metrics', (kind) => {
  let service: TestService
  let provider: Provider
  let category: string

  before(async () => {
    provider = await Provider.start()
    service = await TestService.start(kind, provider.settings('model-a'))
    category = await service.category()
  })
  after(async () => {
    await service?.stop()
    await provider.stop()
  })

  const write = async (title: string, content: string): Promise<void> => {
    const body = { title, content, category_id: category, type: 'knowledge' }
    assert.equal((await service.call('POST', ENTRIES, { body })).status, 201)
  }
  const search = (query: string, mode: string) => service.call('POST', `${ENTRIES}/search`, { body: { query, mode } })
  const samples = () => samplesOf(service.service.url)

  test('the version, commit, Node, database and embedding model are labels of one metric', async () => {
    const line = [...(await samples()).keys()].find((name) => name.startsWith('knowledge_build_info'))!
    assert.match(line, new RegExp(`version="${VERSION.replaceAll('.', '\\.')}"`))
    assert.match(line, new RegExp(`database="${kind.name === 'SQLite' ? 'sqlite' : 'postgres'}"`))
    assert.match(line, /commit="(?:[0-9a-f]{40})?"/)
    assert.match(line, /node="v\d+/)
    assert.match(line, /model="openai:model-a:default"/)
  })

  test('a provider that fails shows in its calls, in the backlog and in degraded searches, and its return too', async () => {
    const { url } = service.service
    await write('Before', 'the heron')
    await eventually(url, (all) => all.get('embedding_texts_total{purpose="passage"}')! >= 1, 'a passage gets a vector')
    assert.equal((await search('heron', 'hybrid')).status, 200)
    const well = await samples()
    assert.equal(well.get('searches_total{section="knowledge",mode="hybrid",degraded="false"}'), 1)
    assert.equal(well.get('searches_total{section="knowledge",mode="hybrid",degraded="true"}'), 0)
    const failed = (purpose: string) => `embedding_call_duration_seconds_count{purpose="${purpose}",outcome="failed"}`
    assert.equal(well.get(failed('query')), 0)

    provider.isDown = true
    await write('During', 'the cormorant')
    assert.equal((await search('cormorant', 'hybrid')).status, 200)
    assert.equal((await search('cormorant', 'semantic')).status, 503)
    const ill = await eventually(
      url,
      (all) => all.get('embedding_jobs{state="failing"}') === 1 && all.get(failed('passage'))! >= 1,
      'the failing job is seen',
    )
    assert.equal(ill.get('embedding_jobs{state="waiting"}'), 1)
    assert.ok(ill.get(failed('query'))! >= 2)
    assert.equal(ill.get('searches_total{section="knowledge",mode="hybrid",degraded="true"}'), 1)

    provider.isDown = false
    await eventually(url, (all) => all.get('embedding_jobs{state="waiting"}') === 0, 'the backlog is worked off')
    assert.equal((await samples()).get('embedding_oldest_due_seconds'), 0)
  })

  test('a text that the provider does not take is refused and not failed', async () => {
    const failed = 'embedding_call_duration_seconds_count{purpose="query",outcome="failed"}'
    const before = (await samples()).get(failed)
    assert.equal((await search(REFUSED_WORD, 'semantic')).status, 422)
    const all = await samples()
    assert.equal(all.get('embedding_call_duration_seconds_count{purpose="query",outcome="refused"}'), 1)
    assert.equal(all.get(failed), before)
  })

  test('every queue of the process says how much waits in it', async () => {
    const names = [...(await samples()).keys()].flatMap(
      (name) => /^queue_waiting\{queue="(\w+)"\}$/.exec(name)?.[1] ?? [],
    )
    assert.deepEqual(names.toSorted(), ['pages', 'passwords', 'requests', 'search_log', 'searches', 'slices'])
  })

  test('mail that waits is counted where the service sends mail', async () => {
    const other = await service.sibling({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'knowledge@example.com' })
    try {
      assert.equal((await samplesOf(other.url)).get('queue_waiting{queue="mail"}'), 0)
    } finally {
      await other.stop()
    }
  })

  test('connections at work and transactions that wait are counted', async () => {
    const idle = await samples()
    assert.equal(idle.get('database_waiting{for="write"}'), 0)
    assert.equal(idle.get('database_connections_max'), kind.name === 'SQLite' ? 1 : 10)
    const database = openDatabase(service.place.options)
    const gate = Promise.withResolvers<void>()
    const transactions = Array.from({ length: 4 }, () => database.write(() => gate.promise, 'default'))
    const isReached = () => database.connections().writesWaiting > 0 && database.connections().inUse > 0
    await until(isReached, 'some work and others wait')
    const { inUse, writesWaiting } = database.connections()
    // A tenant may have two transactions on PostgreSQL, and SQLite has one writer.
    assert.deepEqual(
      { inUse, writesWaiting },
      kind.name === 'SQLite' ? { inUse: 1, writesWaiting: 3 } : { inUse: 2, writesWaiting: 2 },
    )
    gate.resolve()
    await Promise.all(transactions)
    assert.deepEqual([database.connections().writesWaiting, database.connections().waiting], [0, 0])
    await database.close()
  })
})
