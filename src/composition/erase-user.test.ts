import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { beginErasure } from '../identity/administration/erasure.ts'
import { onEachDatabase } from '../../test/support/databases.ts'
import { TestService } from '../../test/support/service.ts'
import { OPERATOR } from '../platform/audit/audit.ts'
import { finishErasures } from './erase-user.ts'
import { startSweeper } from './sweeper.ts'

const HOUR_MS = 3_600_000

onEachDatabase('an erasure that was interrupted', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const notesOf = async (userId: string) =>
    (
      await service.database.queries
        .selectFrom('entries')
        .select('id')
        .where('created_by_user_id', '=', userId)
        .where('visibility', '=', 'personal')
        .execute()
    ).length

  test('the sweeper goes on with it, and ends it when no request of the person can run any more', async () => {
    const { database } = service
    const category = await service.category()
    const { userId, key } = await service.user({ email: 'cut@x', role: 'reader' })
    const { userId: other, key: otherKey } = await service.user({ email: 'other@x', role: 'reader' })
    const body = { title: 'Note', content: 'secret', category_id: category }
    for (const each of [key, key, otherKey]) {
      await service.call('POST', '/api/knowledge/knowledge-entries/personal', { key: each, body })
    }
    // The state that a process leaves when it dies after the first transaction.
    await database.write((tx) => beginErasure(tx, 'default', userId, OPERATOR, () => undefined))
    assert.equal(await notesOf(userId), 2)
    await finishErasures(database, Date.now(), () => true)
    assert.equal(await notesOf(userId), 2)

    const open = () => database.queries.selectFrom('user_erasures').select('user_id').execute()
    const errors: unknown[] = []
    const sweeper = startSweeper(database, (error) => errors.push(error), HOUR_MS)
    await sweeper.sweep()
    assert.deepEqual([await notesOf(userId), await notesOf(other)], [0, 1])
    assert.deepEqual(await open(), [{ user_id: userId }])
    await sweeper.sweep(Date.now() + HOUR_MS)
    await sweeper.close()
    assert.deepEqual([await open(), errors], [[], []])
  })
})
