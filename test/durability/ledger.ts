import assert from 'node:assert/strict'
import { randomSource } from '../../bench/support/random.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { SEED } from '../support/seed.ts'

/** An entry as the service last acknowledged it. Every title is unique. */
interface Acknowledged {
  readonly title: string
  readonly version: number
}

/** State of a deleted entry. */
const GONE = null

interface Account {
  acknowledged: Acknowledged | typeof GONE
  /** State after a write without an answer, if it was stored; undefined when every write was answered. */
  unanswered?: Acknowledged | typeof GONE
}

/**
 * Records what a client knows of its writes. Answered writes must be in the database; unanswered writes may be there
 * completely or not at all.
 */
export class Ledger {
  readonly random: () => number
  readonly #accounts = new Map<string, Account>()
  readonly #unansweredCreations = new Set<string>()
  #idle: string[] = []
  acknowledgedWrites = 0

  /** @param random decides what is written */
  constructor(random: () => number = randomSource(SEED)) {
    this.random = random
  }

  /** Records the result of creating an entry; `id` is null when there was no answer. */
  created(title: string, id: string | null): void {
    if (id === null) {
      this.#unansweredCreations.add(title)
      return
    }
    this.acknowledgedWrites++
    this.#accounts.set(id, { acknowledged: { title, version: 1 } })
    this.#idle.push(id)
  }

  /** Takes an entry that no other writer changes, and returns it; null when there is none. */
  take(): { id: string; version: number } | null {
    const id = this.#idle.splice(Math.floor(this.random() * this.#idle.length), 1)[0]
    if (id === undefined) return null
    return { id, version: this.#accounts.get(id)!.acknowledged!.version }
  }

  /** Records the result of changing an entry from `take`. */
  changed(id: string, after: Acknowledged | null, isAnswered: boolean): void {
    const account = this.#accounts.get(id)!
    if (!isAnswered) {
      account.unanswered = after
      return
    }
    this.acknowledgedWrites++
    account.acknowledged = after
    if (after !== GONE) this.#idle.push(id)
  }

  /** Compares the ledger with the database, and learns how unanswered writes ended. @returns titles by id */
  async settle({ queries }: Database): Promise<Map<string, string>> {
    const rows = await queries.selectFrom('entries').select(['id', 'title', 'version']).execute()
    const actual = new Map(rows.map(({ id, title, version }) => [id, { title, version }]))
    for (const [id, account] of this.#accounts) {
      const { acknowledged, unanswered } = account
      const row = actual.get(id) ?? GONE
      const isAsUnanswered = unanswered !== undefined && row?.title === unanswered?.title
      const expected = isAsUnanswered ? unanswered : acknowledged
      assert.deepEqual(row, expected, `entry ${id} is as it was acknowledged, with TEST_SEED=${SEED}`)
      this.#accounts.set(id, { acknowledged: row })
    }
    for (const [id, row] of actual) {
      if (this.#accounts.has(id)) continue
      assert.ok(
        this.#unansweredCreations.delete(row.title),
        `entry ${id} (${row.title}) was asked for, once, with TEST_SEED=${SEED}`,
      )
      assert.equal(row.version, 1)
      this.#accounts.set(id, { acknowledged: row })
    }
    this.#idle = [...actual.keys()]
    return new Map([...actual].map(([id, { title }]) => [id, title]))
  }
}
