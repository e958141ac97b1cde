import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { DATABASES } from '../../../test/support/databases.ts'
import { HANG_MS } from '../../../test/support/patience.ts'
import { watched } from '../../../test/support/plans.ts'
import { createTenant } from '../../composition/new-tenant.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { Standby } from '../../platform/database/standby.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import type { ChangeReader, ListedChange } from './change-batches.ts'
import { standbyReader } from './standby-reader.ts'

const [SQLITE] = DATABASES
const TENANT = 'acme'

/** Answers with its own name, and counts its calls. */
class NamedReader implements ChangeReader {
  readonly name: string
  calls = 0
  failsFrom = Infinity
  constructor(name: string) {
    this.name = name
  }

  async list(): Promise<readonly (readonly ListedChange[])[]> {
    if (++this.calls >= this.failsFrom) throw new Error('the connection was lost')
    return [[{ seq: 1, id: this.name, bytes: 1, isTombstone: false }]]
  }

  async read(ids: readonly string[]) {
    if (++this.calls >= this.failsFrom) throw new Error('the connection was lost')
    return ids.map((id) => ({ seq: 1, remove: `${this.name} ${id}` }))
  }
}

describe('Reading changes where a replica of the database may help', { skip: SQLITE === undefined }, () => {
  test('the replica is read when it has the tenant up to the number', async (t) => {
    const { reader, watermark } = await pair(t)
    assert.equal(await first(reader(watermark)), 'standby')
    assert.equal(await first(reader(watermark - 1)), 'standby')
  })

  test('the primary is read while the replica lacks one change, and the replica again once it has it', async (t) => {
    const { database, reader, watermark } = await pair(t)
    assert.equal(await first(reader(watermark + 1)), 'primary')
    await database.write((tx) => advanceWatermark(tx, TENANT))
    assert.equal(await first(reader(watermark + 1)), 'standby')
  })

  test('the primary is read for vectors of a model that the replica does not search by yet', async (t) => {
    const { reader, watermark } = await pair(t)
    assert.equal(await first(reader(watermark, 'another')), 'primary')
  })

  test('a tenant that the replica does not know is read from the primary', async (t) => {
    const { reader, watermark } = await pair(t)
    assert.equal(await first(reader(watermark, null, 'stranger')), 'primary')
  })

  test('a replica that fails on the way is left for the primary, and then left alone for a while', async (t) => {
    const { reader, watermark, onStandby, statements, clock } = await pair(t)
    onStandby.failsFrom = 2
    const changes = reader(watermark)
    assert.equal(await first(changes), 'standby')
    assert.deepEqual(await changes.read(['a'], 1), [{ seq: 1, remove: 'primary a' }])
    assert.equal(await first(changes), 'primary')
    const before = statements.length
    assert.equal(await first(reader(watermark)), 'primary')
    assert.equal(statements.length, before)
    clock.ms += 49
    assert.equal(await first(reader(watermark)), 'primary')
    clock.ms += 1
    onStandby.failsFrom = Infinity
    assert.equal(await first(reader(watermark)), 'standby')
  })

  test('a replica that answers nothing is waited for only shortly', async (t) => {
    const { reader, watermark, onStandby } = await pair(t, 10)
    onStandby.list = () => new Promise(() => undefined)
    assert.equal(await first(reader(watermark)), 'primary')
  })
})

async function pair(t: TestContext, readMs = HANG_MS) {
  const clock = { ms: 0 }
  const place = await SQLITE.create()
  const opened = openDatabase(place.options)
  t.after(async () => {
    await opened.close()
    await place.remove()
  })
  await migrate(opened)
  await createTenant(opened, { id: TENANT, name: 'Acme', host: null })
  const { seq, model } = await opened.write((tx) => advanceWatermark(tx, TENANT))
  const { database, statements } = watched(opened)
  const standby = new Standby(database, { askMs: HANG_MS, readMs, restMs: 50, now: () => clock.ms })
  const [onStandby, onPrimary] = [new NamedReader('standby'), new NamedReader('primary')]
  const reader = (watermark: number, searched: string | null = model, tenantId = TENANT): ChangeReader =>
    standbyReader(standby, { tenantId, index: 'entries', model: searched, watermark }, { onStandby, onPrimary })
  return { database: opened, reader, watermark: seq, onStandby, statements, clock }
}

/** Returns the name of the reader that a list came from. */
async function first(reader: ChangeReader): Promise<string> {
  const [[{ id }]] = await reader.list({ seq: 0, id: '' }, 10)
  return id
}
