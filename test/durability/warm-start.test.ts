import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { snapshotFolder } from '../../src/search/memory/index/snapshots/snapshot-files.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import { ServiceProcess } from './service-process.ts'
import { found, until } from '../support/patience.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const FILLERS = 300

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

  /** Returns how many documents the indexes of the service have, before the first search. */
  const documents = async (url: string): Promise<number> => {
    const text = await (await fetch(`${url}/metrics`)).text()
    return Number(/^search_index_documents (\d+)$/m.exec(text)![1])
  }

  /** Returns how many documents there were when /readyz first said 200, and when the service said that it was ready. */
  async function documentsAtStart(settings: Readonly<Record<string, string>>): Promise<readonly number[]> {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const starting = ServiceProcess.start(place, { PORT: String(port), ...settings })
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
    // On a machine that is busy a start may need more than the two seconds.
    assert.deepEqual(await documentsAtStart(withFault(new URL('../faults/patient-start.ts', import.meta.url))), [
      FILLERS,
      FILLERS,
    ])
  })

  test('does not wait for ever for an index that cannot be read', async (t) => {
    const service = await ServiceProcess.start(place, withFault(new URL('../faults/endless-read.ts', import.meta.url)))
    t.after(() => service.kill())
    assert.equal((await service.call('GET', '/readyz')).status, 200)
    assert.equal(await documents(service.url), 0)
  })
})

/** Returns the status of the first answer, once the port is open. */
function answered(url: string): Promise<number> {
  return found(
    () =>
      fetch(url).then(
        (answer) => answer.status,
        () => null,
      ),
    'the port is open',
  )
}

/** Settings of a service into which a fault is loaded. */
function withFault({ href }: URL): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${href}` }
}
