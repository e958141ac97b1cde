import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openDatabase } from '../../src/platform/database/database.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { inTier } from '../support/tier.ts'
import { type Sides, Steps } from './steps.ts'

const WRITES = inTier({ gate: 120, all: 1_000 })
/** Stories that run at the same time. Each one's writes could disturb the others' searches. */
const PARALLEL = 8
const STORIES = ['life', 'bulk', 'life', 'publish', 'life', 'subtree'] as const

onEachDatabase('freshness between two processes', (kind) => {
  let place: TestDatabase
  let processes: ServiceProcess[] = []
  let shared: Omit<Sides, 'writer' | 'reader'>

  before(async () => {
    place = await kind.createMigrated()
    const first = await ServiceProcess.start(place)
    processes = [first, await ServiceProcess.start(place)]
    const create = async (path: string) =>
      (await first.call('POST', `/api/knowledge/${path}`, { body: { name: 'One' } })).body.id as string
    shared = {
      category: await create('categories'),
      other: await create('categories'),
      project: await create('projects'),
      ownerKey: await editorKey(place),
    }
  })
  after(async () => {
    await Promise.all(processes.map((service) => service.stop()))
    await place.remove()
  })

  test(`after each of ${WRITES} writes through one process, the next search through the other is up to date`, async () => {
    let checked = 0
    let next = 0
    const tell = async (): Promise<void> => {
      while (checked < WRITES) {
        const number = next++
        const [writer, reader] = number % 2 === 0 ? processes : processes.toReversed()
        const steps = new Steps({ ...shared, writer, reader }, number)
        await steps[STORIES[number % STORIES.length]]()
        checked += steps.checked
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, tell))
    assert.ok(checked >= WRITES)
  })
})

async function editorKey(place: TestDatabase): Promise<string> {
  const database = openDatabase(place.options)
  const { id: userId } = await createUser(database, 'default', { email: 'o@example.com', name: 'O', role: 'editor' })
  const scopes = ROLE_SCOPES.editor
  const { key } = await issueApiKey(database, 'default', { name: 'owner', scopes, userId, expiresAt: null })
  await database.close()
  return key
}
