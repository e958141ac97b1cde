import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { assertConsistent } from './consistency.ts'
import { assertFound } from './found.ts'
import { Ledger } from './ledger.ts'
import { ADMIN_KEY, ServiceProcess } from './service-process.ts'
import { ENTRIES, WriteStream } from './write-stream.ts'

/** Requests get nine seconds. The rest is for closing, which may take longer than a second on a busy machine. */
const STOP_MS_MAX = 12_500

onEachDatabase('a service that is told to stop', (kind) => {
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
    const { code, ms } = await service.stop()
    await stream.end()
    assert.equal(code, 0, service.output)
    assert.ok(ms < STOP_MS_MAX, `${ms} ms`)
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
    const { code, ms } = await stopped
    assert.equal(code, 0, service.output)
    assert.ok(ms < STOP_MS_MAX, `${ms} ms`)
    service = await ServiceProcess.start(place)
  })

  test('cuts an endless import between two batches, in time', async () => {
    const upload = openImport(service)
    await upload.send(line('Third').repeat(150))
    const answered = await upload.answered(100)
    const { ms } = await service.stop()
    assert.ok(ms < STOP_MS_MAX, `${ms} ms`)
    await assert.rejects(upload.answered(101))
    const rows = await database.queries.selectFrom('entries').select('id').where('title', '=', 'Third').execute()
    assert.deepEqual(rows.map(({ id }) => id).sort(), answered.map(({ id }) => id).sort())
    await assertConsistent(database)
  })
})

async function untilRefused(service: ServiceProcess): Promise<void> {
  while ((await service.call('GET', `${ENTRIES}?limit=1`)).status !== 503);
}

/** A bulk import whose lines are sent and whose results are read at the test's pace. */
function openImport(service: ServiceProcess) {
  const { readable, writable } = new TransformStream<string, string>()
  const writer = writable.getWriter()
  // Writes that the service no longer takes fail here too; the test checks the results instead.
  writer.closed.catch(() => undefined)
  const results: { id: string }[] = []
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
    async answered(count: number): Promise<{ id: string }[]> {
      const iterator = await lines
      while (results.length < count) {
        const { value, done } = await iterator.next()
        if (done) throw new Error('the answer ended')
        results.push(JSON.parse(value) as { id: string })
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
