import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { advanceWatermark } from '../../src/platform/database/watermark.ts'
import { DATABASES } from '../support/databases.ts'

const TENANT = 'acme'
const POSTGRES = DATABASES.find(({ name }) => name === 'PostgreSQL')

describe('A write that is paused', { skip: POSTGRES === undefined && 'PostgreSQL is left out of this run' }, () => {
  test('gives up the locks that another write waits for, and changes nothing itself', async () => {
    const place = await POSTGRES!.createMigrated()
    const database = openDatabase(place.options)
    try {
      await createTenant(database, { id: TENANT, name: 'Acme', host: null })
      const locked = Promise.withResolvers<number>()
      const awake = Promise.withResolvers<void>()
      const paused = database.write(async (tx) => {
        locked.resolve((await advanceWatermark(tx, TENANT)).seq)
        await awake.promise
        await advanceWatermark(tx, TENANT)
      }, TENANT)
      const lost = assert.rejects(paused)
      const seq = await locked.promise
      assert.equal((await database.write((tx) => advanceWatermark(tx, TENANT), TENANT)).seq, seq)
      awake.resolve()
      await lost
      assert.equal((await database.write((tx) => advanceWatermark(tx, TENANT), TENANT)).seq, seq + 1)
    } finally {
      await database.close()
      await place.remove()
    }
  })
})
