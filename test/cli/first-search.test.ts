import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Program } from '../faults/program.ts'
import { onAnyDatabase, type TestDatabase } from '../support/databases.ts'
import { knowledge } from './program.ts'

onAnyDatabase('the first start', (kind) => {
  let place: TestDatabase
  let program: Program
  before(async () => {
    place = await kind.create()
    program = new Program(place.options)
    await program.ready()
  })
  after(async () => {
    await program.stop()
    await place.remove()
  })

  test('prints an import and a search, which together find the page that answers the question', async () => {
    const [, setting, words] = await program.says(
      /Put the guides in, in another shell:\n {2}(\S+) npm run knowledge -- (.+)\n/,
    )
    assert.equal(setting, place.options.databaseUrl === null ? `DATA_DIR=${place.options.dataDir}` : 'DATABASE_URL=…')
    const imported = await knowledge(place, words.split(' '))
    assert.equal(imported.code, 0, imported.stderr)
    const [, address, key, body] = await program.says(
      /Then search:\n {2}curl -s (\S+) -H "Authorization: (.+?)" .*-d '(.+)'/,
    )
    const headers = { authorization: key, 'content-type': 'application/json' }
    const answer = await fetch(address, { method: 'POST', headers, body })
    assert.equal(answer.status, 200)
    const hits = (await answer.json()) as { entry: { title: string } }[]
    assert.deepEqual([hits.length, hits[0].entry], [3, { title: 'Connect an assistant' }])
  })
})
