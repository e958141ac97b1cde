import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkReferences, checkSeals, checkTenants } from '../../src/channels/cli/doctor/database-checks.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TEST_MODEL } from '../support/program.ts'
import { OperatorStage, TENANTS } from './stage.ts'

onAnyDatabase('the doctor of many tenants', (kind) => {
  test('sums up those that are well, and names each one that is not', async (t) => {
    const stage = await OperatorStage.start(kind)
    t.after(() => stage.stop())
    const { service } = stage
    const lines = async (): Promise<string[]> => {
      const findings = await checkTenants(service.database, readConfig({ EMBEDDING_MODEL: TEST_MODEL }))
      return [findings].flat().map(({ verdict, text }) => `${verdict} ${text}`)
    }
    const entry = { title: 'Lamp', content: 'Light', category_id: await service.category() }
    assert.equal((await service.call('POST', '/api/knowledge/knowledge-entries', { body: entry })).status, 201)
    assert.deepEqual(await lines(), ['ok tenant default: 1 entry, all with vectors'])

    for (let i = 0; i < 11; i++) assert.equal((await stage.call('POST', TENANTS, { id: `t-${i}` })).status, 201)
    assert.deepEqual(await lines(), ['ok 12 tenants: 1 entry, all with vectors'])

    await service.database.write((tx) =>
      tx.updateTable('tenants').set({ embedding_model: 'another:3' }).where('tenant_id', '=', 'default').execute(),
    )
    const [well, other, ...more] = await lines()
    assert.equal(well, 'ok 11 tenants: 0 entries, all with vectors')
    assert.match(other, /^warn tenant default: 1 entry, .* search uses another:3\./)
    assert.deepEqual(more, [])
  })

  test('fails nothing in a database that has no tables yet', async (t) => {
    const place = await kind.create()
    const database = openDatabase(place.options)
    t.after(async () => {
      await database.close()
      await place.remove()
    })
    for (const check of [checkReferences, checkSeals, checkTenants]) {
      const finding = await check(database, readConfig({}))
      assert.deepEqual(finding, { verdict: 'ok', text: 'checked once the schema is up to date' })
    }
  })
})
