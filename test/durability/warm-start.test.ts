import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { snapshotFolder } from '../../src/search/memory/snapshots/snapshot-files.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { ServiceProcess } from './service-process.ts'
import { until } from '../support/patience.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const FILLERS = 300
/** What the service waits at most, and far more than anything else of a start takes. */
const [WAIT_MS, START_MS_MAX] = [2_000, 60_000]

describe('a service that finds the snapshot of an index when it starts', () => {
  let place: TestDatabase

  before(async () => {
    // One database is enough: it only tells that the snapshot is of use.
    place = await DATABASES[0].create()
    const service = await ServiceProcess.start(place)
    const { body: category } = await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })
    const lines = Array.from({ length: FILLERS }, (_, i) =>
      JSON.stringify({ title: `Lamp ${i}`, content: 'It gives light.', category_id: category.id }),
    )
    assert.equal((await service.call('POST', `${ENTRIES}/bulk`, { body: lines.join('\n') })).status, 200)
    assert.equal((await service.call('POST', `${ENTRIES}/search`, { body: { query: 'lamp' } })).status, 200)
    const folder = snapshotFolder(place.options.dataDir)
    const isWritten = () => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.snapshot'))
    await until(isWritten, 'there is a snapshot')
    await service.stop()
  })
  after(() => place.remove())

  /** How many documents the indexes of the service have, before anybody has searched. */
  const documents = async (url: string): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(/^search_index_documents (\d+)$/m.exec(text)![1])
  }

  /** How many documents there were when /readyz first said 200, and when the service said that it was ready. */
  async function documentsAtStart(): Promise<readonly number[]> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const starting = ServiceProcess.start(place, { PORT: String(port) })
    try {
      assert.equal(await answered(`${url}/readyz`), 200)
      const first = await documents(url)
      await starting
      return [first, await documents(url)]
    } finally {
      await (await starting).kill()
    }
  }

  test('says that it is ready, and answers /readyz, once the index is read', async () => {
    let seen = await documentsAtStart()
    // On a machine that is busy a start may need more than the two seconds.
    for (let tries = 1; tries < 3 && seen.includes(0); tries++) seen = await documentsAtStart()
    assert.deepEqual(seen, [FILLERS, FILLERS])
  })

  test('waits two seconds at most for an index that cannot be read', async (t) => {
    const fault = new URL('../faults/endless-read.ts', import.meta.url).href
    const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${fault}`
    const began = performance.now()
    const service = await ServiceProcess.start(place, { NODE_OPTIONS })
    t.after(() => service.kill())
    const tookMs = performance.now() - began
    assert.ok(tookMs >= WAIT_MS, `it did not wait, but was ready after ${tookMs} ms`)
    assert.ok(tookMs < START_MS_MAX, `${tookMs} ms`)
    assert.equal((await service.call('GET', '/readyz')).status, 200)
    assert.equal(await documents(service.url), 0)
  })
})

/** The status of the first answer, once the port is open. */
async function answered(url: string): Promise<number> {
  for (let tries = 0; ; tries++) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => null,
    )
    if (status !== null) return status
    assert.ok(tries < 2_400, 'the port does not open')
    await sleep(25)
  }
}
