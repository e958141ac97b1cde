import assert from 'node:assert/strict'
import type { Journal } from './journal.ts'
import type { MarkedSubject, Subject } from './writes/kind.ts'

interface Account {
  id: string | null
  /** Mark of the last acknowledged write; null when nothing has that name. */
  mark: number | null
  /** Mark that a write without an answer would have left; undefined when every write was answered. */
  pending?: number | null
  /** Number of writes that are known to be stored. */
  writes: number
}

/**
 * Records what clients know of one kind of things of one tenant. Each write leaves its own mark, so the stored mark
 * tells which write made it.
 */
export class Accounts {
  readonly #owner: string
  readonly #journal: Pick<Journal, 'note' | 'acknowledge'>
  readonly #accounts = new Map<string, Account>()
  #idle: string[] = []
  readonly #older = new Set<string>()
  #marks = 0
  acknowledged = 0

  /**
   * Makes an empty record.
   * @param owner beginning of every name: the tenant and the kind
   */
  constructor(owner: string, journal: Pick<Journal, 'note' | 'acknowledge'>) {
    this.#owner = owner
    this.#journal = journal
  }

  /**
   * Takes over the things that were there before the first write, with the number of writes that the audit log has of
   * each by id.
   */
  adopt(rows: readonly MarkedSubject[], writes: ReadonlyMap<string, number>): void {
    for (const { name, id, mark } of rows) this.#accounts.set(name, { id, mark, writes: writes.get(id) ?? 0 })
    this.#idle = [...this.#accounts.keys()]
    const ids = new Set(rows.map(({ id }) => id))
    for (const id of writes.keys()) if (!ids.has(id)) this.#older.add(id)
  }

  /** Number of names that any thing has had. */
  get size(): number {
    return this.#accounts.size
  }

  /** Returns a name that no thing has had yet. */
  newName(): string {
    return `${this.#owner}-${this.#accounts.size}`
  }

  /** Takes a thing that is there and that no other writer changes; null when there is none. */
  take(random: () => number): Subject | null {
    const name = this.#idle.splice(Math.floor(random() * this.#idle.length), 1)[0]
    return name === undefined ? null : { name, id: this.#accounts.get(name)!.id! }
  }

  /**
   * Notes that a write begins.
   * @returns the mark that the write leaves, unless it removes the thing
   */
  begin(name: string, isRemoval = false): number {
    const mark = ++this.#marks
    const account = this.#accounts.get(name) ?? { id: null, mark: null, writes: 0 }
    account.pending = isRemoval ? null : mark
    this.#accounts.set(name, account)
    this.#journal.note({ asked: name, mark: account.pending })
    return mark
  }

  /** Notes that the write was answered. */
  done(name: string, id: string): void {
    const account = this.#accounts.get(name)!
    assert.notEqual(account.pending, undefined, `${name} is acknowledged once`)
    this.#journal.acknowledge({ acknowledged: name, id, mark: account.pending })
    this.acknowledged++
    account.writes++
    account.id = id
    account.mark = account.pending!
    account.pending = undefined
    if (account.mark !== null) this.#idle.push(name)
  }

  /**
   * Compares with the stored things, and learns how writes without an answer ended.
   * @param isKept whether an acknowledged write must be there; the service may lose clicks
   */
  settle(rows: readonly MarkedSubject[], isKept = true): void {
    assert.deepEqual(this.differences(rows, isKept), [])
    const actual = new Map(rows.map((each) => [each.name, each]))
    for (const [name, account] of this.#accounts) {
      const there = actual.get(name)
      // What is not there yet may still come.
      if (there === undefined && !isKept) continue
      if (account.pending !== undefined && (there?.mark ?? null) === account.pending) account.writes++
      if (there !== undefined) account.id = there.id
      account.mark = there?.mark ?? null
      account.pending = undefined
    }
    this.#idle = [...actual.keys()]
  }

  /** Returns the things that are not stored as they were acknowledged, each in a sentence. */
  differences(rows: readonly MarkedSubject[], isKept = true): string[] {
    const actual = new Map<string, number>()
    const wrong: string[] = []
    for (const { name, mark } of rows) {
      if (actual.has(name)) wrong.push(`${name} is there twice`)
      else if (!this.#accounts.has(name)) wrong.push(`${name} is there, though nobody of ${this.#owner} asked for it`)
      actual.set(name, mark)
    }
    for (const [name, account] of this.#accounts) {
      const mark = actual.get(name) ?? null
      if (mark === account.mark || (account.pending !== undefined && mark === account.pending)) continue
      if (mark === null && !isKept) continue
      wrong.push(`${name} is not as it was acknowledged: ${mark} in place of ${account.mark}`)
    }
    return wrong
  }

  /** Compares the writes that are stored with the number of audit records, by id. */
  compare(records: ReadonlyMap<string, number>): void {
    const stored = [...this.#accounts.values()].filter(({ id, writes }) => id !== null && writes > 0)
    const expected = Object.fromEntries(stored.map(({ id, writes }) => [id, writes]))
    const actual = Object.fromEntries([...records].filter(([id]) => !this.#older.has(id)))
    assert.deepEqual(actual, expected, `${this.#owner}: one audit record for each write`)
  }

  /** Ids of the things that are there now. */
  get present(): ReadonlySet<string> {
    return new Set([...this.#accounts.values()].filter(({ mark }) => mark !== null).map(({ id }) => id!))
  }
}
