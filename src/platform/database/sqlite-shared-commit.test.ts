import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, mock, suite, test } from 'node:test'
import { sql } from 'kysely'
import { type Database, openDatabase, type Tx } from './database.ts'
import { until } from '../../../test/support/patience.ts'

type Work = (tx: Tx) => Promise<unknown>

suite('short writes on SQLite', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'shared-commit-'))
  let database: Database
  /** Another process, as far as the file is concerned. */
  let other: Database
  /** Time of the clock, which stands still unless a test moves it. */
  let nowMs: number

  before(async () => {
    database = openDatabase({ dataDir, databaseUrl: null })
    other = openDatabase({ dataDir, databaseUrl: null })
    await sql`create table parents (id integer primary key)`.execute(database.queries)
    await sql`create table notes (id integer primary key, parent integer references parents)`.execute(database.queries)
  })
  beforeEach(async () => {
    await sql`delete from notes`.execute(database.queries)
    // On a busy machine a write could come too late to share the commit.
    nowMs = performance.now()
    mock.method(performance, 'now', () => nowMs)
  })
  afterEach(() => mock.restoreAll())
  after(async () => {
    await database.close()
    await other.close()
    rmSync(dataDir, { recursive: true })
  })

  const insert =
    (id: number): Work =>
    (tx) =>
      sql`insert into notes (id) values (${id})`.execute(tx)
  /** A row whose parent is missing, which only COMMIT notices. */
  const orphan =
    (id: number): Work =>
    async (tx) => {
      await sql`pragma defer_foreign_keys = on`.execute(tx)
      await sql`insert into notes (id, parent) values (${id}, 1)`.execute(tx)
    }
  const stored = async (from = other): Promise<number[]> => {
    const { rows } = await sql<{ id: number }>`select id from notes order by id`.execute(from.queries)
    return rows.map(({ id }) => id)
  }
  /** Begins the writes together. @returns the message of each that failed, null of each that is durable */
  const together = (works: readonly Work[]): Promise<(string | null)[]> =>
    Promise.all(
      works.map((work) =>
        database.writeShort(work, 'tenant').then(
          () => null,
          (error: Error) => error.message,
        ),
      ),
    )

  test('that come together share a commit, and each is durable when it is answered', async () => {
    const events: string[] = []
    const writes = [1, 2, 3].map(async (id) => {
      await database.writeShort(async (tx) => {
        await insert(id)(tx)
        assert.deepEqual(await stored(), [], 'nothing is visible before the commit')
        events.push('done')
      }, 'tenant')
      assert.deepEqual(await stored(), [1, 2, 3])
      events.push('durable')
    })
    await Promise.all(writes)
    assert.deepEqual(events, ['done', 'done', 'done', 'durable', 'durable', 'durable'])
  })

  test('see those before them, in their order', async () => {
    const seen: number[] = []
    const count: Work = async (tx) => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from notes`.execute(tx)
      seen.push(rows[0].n)
    }
    await together([1, 2, 3].map((id) => async (tx) => (await count(tx), insert(id)(tx))))
    assert.deepEqual(seen, [0, 1, 2])
  })

  test('are taken back alone when their own work fails', async () => {
    const failing: Work = async (tx) => {
      await insert(2)(tx)
      throw new Error('changed my mind')
    }
    assert.deepEqual(await together([insert(1), failing, insert(3)]), [null, 'changed my mind', null])
    assert.deepEqual(await stored(), [1, 3])
  })

  test('all fail when their common commit fails, and the next ones do not', async () => {
    const messages = await together([insert(1), orphan(2), insert(3)])
    assert.deepEqual(messages, Array(3).fill('FOREIGN KEY constraint failed'))
    assert.deepEqual(await stored(), [])
    assert.deepEqual(await together([insert(4)]), [null])
    assert.deepEqual(await stored(), [4])
  })

  test('all fail when SQLite takes back the whole transaction, and nothing is stored of what follows in it', async () => {
    const careless: Work = async (tx) => {
      await sql`insert or rollback into notes (id) values (1)`.execute(tx).catch(() => undefined)
      await insert(2)(tx)
    }
    const [first, second, third] = await together([insert(1), careless, insert(3)])
    assert.match(first!, /UNIQUE/)
    assert.match(second!, /UNIQUE/)
    assert.equal(third, null)
    assert.deepEqual(await stored(), [3])
  })

  test('that end the transaction themselves fail with those before them, and the next ones are durable', async () => {
    const rogue: Work = async (tx) => {
      await sql`rollback`.execute(tx)
      throw new Error('changed my mind')
    }
    const [first, second, third] = await together([insert(1), rogue, insert(3)])
    assert.match(first!, /no such savepoint/)
    assert.equal(second, 'changed my mind')
    assert.equal(third, null)
    assert.deepEqual(await stored(), [3])
  })

  test('are at most 64 in a commit, however many come together', async () => {
    const durable: number[] = []
    const writes = Array.from({ length: 130 }, (_, id): Work => async (tx) => {
      durable.push((await stored()).length)
      await insert(id)(tx)
    })
    await together(writes)
    assert.deepEqual(durable, [...Array(64).fill(0), ...Array(64).fill(64), 128, 128])
  })

  test('join a commit for five milliseconds, so that none waits longer for those after it', async () => {
    const durable: number[][] = []
    const after =
      (ms: number, id: number): Work =>
      async (tx) => {
        durable.push(await stored())
        await insert(id)(tx)
        nowMs += ms
      }
    await together([after(4, 1), after(1, 2), after(4, 3), after(0, 4)])
    assert.deepEqual(durable, [[], [], [1, 2], [1, 2]])
  })

  test('are committed before a write that does not share begins, in turn', async () => {
    const seen: number[][] = []
    const short = [1, 2].map((id) => database.writeShort(insert(id), 'tenant'))
    const whole = database.write(async (tx) => {
      seen.push(await stored())
      await insert(3)(tx)
    }, 'tenant')
    const last = database.writeShort(async (tx) => {
      seen.push(await stored())
      await insert(4)(tx)
    }, 'tenant')
    await Promise.all([...short, whole, last])
    assert.deepEqual(seen, [
      [1, 2],
      [1, 2, 3],
    ])
    assert.deepEqual(await stored(), [1, 2, 3, 4])
  })

  test('are committed when the database closes', async () => {
    const closing = openDatabase({ dataDir, databaseUrl: null })
    let isDone = false
    const written = closing.writeShort(async (tx) => {
      await insert(1)(tx)
      isDone = true
    }, 'tenant')
    // The write ends in these turns, and the commit comes in a later one of the event loop.
    for (let turns = 0; turns < 500; turns++) await Promise.resolve()
    assert.equal(isDone, true)
    await Promise.all([written, closing.close()])
    assert.deepEqual(await stored(), [1])
  })

  test('are taken back when the database closes while they run, and earlier ones are not', async () => {
    const closing = openDatabase({ dataDir, databaseUrl: null })
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const finished = closing.writeShort(insert(1), 'tenant')
    const half = closing.writeShort(async (tx) => {
      await insert(2)(tx)
      begun.resolve()
      await gate.promise
      await insert(3)(tx)
    }, 'tenant')
    await begun.promise
    await Promise.all([finished, closing.close()])
    gate.resolve()
    await assert.rejects(half)
    assert.deepEqual(await stored(), [1])
  })

  test('wait for the writer of another process, without holding up this one', async () => {
    const begun = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<void>()
    const otherWrite = other.write(async (tx) => {
      await insert(1)(tx)
      begun.resolve()
      await gate.promise
    })
    await begun.promise
    let areDone = false
    const writes = together([insert(2), insert(3)]).finally(() => (areDone = true))
    // The first of them has the turn of this process, and tries again and again.
    await until(() => database.connections().writesWaiting > 0, 'the writes wait')
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(await stored(database), [])
    assert.equal(areDone, false)
    gate.resolve()
    await otherWrite
    assert.deepEqual(await writes, [null, null])
    assert.deepEqual(await stored(), [1, 2, 3])
  })

  test('a commit that fails leaves the transaction of the next writer alone', async () => {
    const outcomes = await Promise.allSettled([
      database.write(orphan(1), 'tenant'),
      database.write(async (tx) => {
        for (const id of [2, 3, 4, 5]) await insert(id)(tx)
      }, 'tenant'),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    )
    assert.deepEqual(await stored(), [2, 3, 4, 5])
  })
})
