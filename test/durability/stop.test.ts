import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { onAnyDatabase, type TestDatabase } from '../support/databases.ts'
import { assertConsistent } from './consistency.ts'
import { assertFound } from './found.ts'
import { Ledger } from './ledger.ts'
import { ADMIN_KEY, ServiceProcess } from './service-process.ts'
import { ENTRIES, WriteStream } from './write-stream.ts'
import { HANG_MS, until } from '../support/patience.ts'

onAnyDatabase('a service that is told to stop', (kind) => {
  let place: TestDatabase
  let database: Database
  let service: ServiceProcess
  let category: string

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    service = await ServiceProcess.start(place)
    category = (await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })).body.id
  })
  after(async () => {
    await service.kill()
    await database.close()
    await place.remove()
  })

  const line = (title: string) => `${JSON.stringify({ title, content: 'Text', category_id: category })}\n`

  test('finishes running writes, keeps all answered writes and exits with code 0', async () => {
    const ledger = new Ledger()
    const stream = new WriteStream(service, ledger, category, 'last-words')
    await stream.answered(30)
    const { code } = await service.stop()
    await stream.end()
    assert.equal(code, 0, service.output)
    const titles = await ledger.settle(database)
    await assertConsistent(database)
    service = await ServiceProcess.start(place)
    await assertFound(service, database, titles, ['last-words'])
  })

  test('answers a running import to its end, and meanwhile refuses new requests with 503', async () => {
    const upload = openImport(service)
    await upload.send(line('First').repeat(100))
    assert.equal((await upload.answered(100)).length, 100)
    const stopped = service.stop()
    await untilRefused(service)
    const refused = await service.call('GET', `${ENTRIES}?limit=1`)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('connection'), 'close')
    assert.ok(Number(refused.headers.get('retry-after')) >= 1)
    assert.equal((await service.call('GET', '/healthz')).status, 200)
    await upload.send(line('Second').repeat(150))
    await upload.end()
    assert.equal((await upload.answered(250)).length, 250)
    const { code } = await stopped
    assert.equal(code, 0, service.output)
    service = await ServiceProcess.start(place)
  })

  test('ends an endless import after a line, says so, and keeps all that it answered', async () => {
    const upload = openImport(service)
    await upload.send(line('Third').repeat(150))
    await upload.answered(100)
    const { code } = await service.stop()
    assert.equal(code, 0, service.output)
    const answers = await upload.answered(151)
    assert.equal(answers[150].status, 'ended')
    assert.match(answers[150].reason, /stopping. Nothing after line 150 was read/)
    const rows = await database.queries.selectFrom('entries').select('id').where('title', '=', 'Third').execute()
    const ids = answers.slice(0, 150).map(({ id }) => id)
    assert.deepEqual(rows.map(({ id }) => id).sort(), ids.sort())
    await assertConsistent(database)
    service = await ServiceProcess.start(place)
  })

  test('serves on for its delay while it says that it leaves, and closes each connection after its answer', async () => {
    await service.stop()
    service = await ServiceProcess.start(place, { STOP_DELAY_SECONDS: '5' })
    assert.equal((await service.call('GET', '/readyz')).status, 200)
    const stopped = service.stop()
    await until(async () => (await service.call('GET', '/readyz')).status === 503, 'it says that it leaves')
    const read = await service.call('GET', `${ENTRIES}?limit=1`)
    assert.equal(read.status, 200)
    assert.equal(read.headers.get('connection'), 'close')
    const { code } = await stopped
    assert.equal(code, 0, service.output)
  })

  test('refuses connections after its delay, so that proxies can take another process for any request', async () => {
    service = await ServiceProcess.start(place, { STOP_DELAY_SECONDS: '1' })
    const upload = openImport(service)
    await upload.send(line('Last').repeat(100))
    await upload.answered(100)
    const stopped = service.stop()
    const statuses = new Set<unknown>()
    const readOnce = () =>
      service.call('GET', `${ENTRIES}?limit=1`).then(
        ({ status }) => status,
        (error: { code?: unknown }) => error.code,
      )
    await until(async () => statuses.add(await readOnce()).has('ECONNREFUSED'), 'connections are refused')
    // Connections that still waited in the queue of the closing port are reset.
    statuses.delete('ECONNRESET')
    assert.deepEqual(statuses, new Set<unknown>([200, 'ECONNREFUSED']))
    await upload.end()
    assert.equal((await upload.answered(100)).length, 100)
    assert.equal((await stopped).code, 0, service.output)
  })

  // The longest delay that can be set, and twice as long as the test waits.
  test('stops at once for ctrl-C, whatever its delay', { timeout: HANG_MS / 2 }, async () => {
    service = await ServiceProcess.start(place, { STOP_DELAY_SECONDS: '300' })
    const { code } = await service.stop('SIGINT')
    assert.equal(code, 0, service.output)
  })
})

async function untilRefused(service: ServiceProcess): Promise<void> {
  await until(async () => (await service.call('GET', `${ENTRIES}?limit=1`)).status === 503, 'requests are refused')
}

interface BulkAnswer {
  readonly id: string
  readonly status: string
  /** Reason in the line that ends an answer early. */
  readonly reason: string
}

/** Opens a bulk import whose lines are sent and whose results are read at the test's pace. */
function openImport(service: ServiceProcess) {
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  // Writes that the service no longer takes fail here too; the test checks the results instead.
  writer.closed.catch(() => undefined)
  const results: BulkAnswer[] = []
  const response = fetch(`${service.url}${ENTRIES}/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/x-ndjson' },
    body: readable.pipeThrough(new TextEncoderStream()),
    duplex: 'half',
  })
  const lines = response.then(({ body }) => linesOf(body!))
  lines.catch(() => undefined)
  return {
    send: (text: string) => writer.write(text),
    end: () => writer.close(),
    /** Rejects when the connection breaks before `count` results. */
    async answered(count: number): Promise<BulkAnswer[]> {
      const iterator = await lines
      while (results.length < count) {
        const { value, done } = await iterator.next()
        if (done) throw new Error('the answer ended')
        results.push(JSON.parse(value) as BulkAnswer)
      }
      return [...results]
    },
  }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = parts.pop()!
    yield* parts
  }
}
