import type { Accounts } from './accounts.ts'
import { type Client, Unanswered } from './client.ts'
import type { Kind, Subject } from './writes/kind.ts'

const PARALLEL = 4
/** Most lines of a bulk, more than one transaction stores. */
const LINES_MAX = 70
/** Share of bulks, which are rare, so that the stored content can be checked after every fault. */
const BULK_SHARE = 0.02
const CREATE_SHARE = 0.4
const REMOVE_SHARE = 0.25
const PAUSE_MS = 5

/** The kinds that one tenant's clients write, with their accounts of each. */
export type Books = ReadonlyMap<Kind, Accounts>

/** Runs clients of one tenant that write everything at once, until they are stopped. */
export class Writers {
  readonly #client: Client
  readonly #books: Books
  readonly #random: () => number
  readonly #onAnswer: () => void
  readonly #running: Promise<unknown>
  #isStopped = false

  constructor(client: Client, books: Books, random: () => number, onAnswer: () => void) {
    this.#client = client
    this.#books = books
    this.#random = random
    this.#onAnswer = onAnswer
    this.#running = Promise.all(Array.from({ length: PARALLEL }, () => this.#write()))
    // `end` reports the error. Until then no promise handles it.
    this.#running.catch(() => undefined)
  }

  /** Lets every client finish its request. Rejects with the first answer that is wrong. */
  async end(): Promise<void> {
    this.#isStopped = true
    await this.#running
  }

  /** Rejects with the first answer that is wrong, and never resolves. */
  async failed(): Promise<never> {
    await this.#running
    return new Promise<never>(() => undefined)
  }

  async #write(): Promise<void> {
    const kinds = [...this.#books.keys()]
    while (!this.#isStopped) {
      const kind = kinds[Math.floor(this.#random() * kinds.length)]
      try {
        await this.#one(kind, this.#books.get(kind)!)
        this.#onAnswer()
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
  }

  async #one(kind: Kind, accounts: Accounts): Promise<void> {
    const chance = this.#random()
    if (chance < BULK_SHARE && kind.push !== undefined) return this.#push(kind, accounts)
    if (chance < 2 * BULK_SHARE && kind.removeAll !== undefined) return this.#removeAll(kind, accounts)
    const subject = kind.create !== undefined && chance < CREATE_SHARE ? null : accounts.take(this.#random)
    if (subject === null) return this.#create(kind, accounts)
    const isRemoval = kind.remove !== undefined && (kind.change === undefined || this.#random() < REMOVE_SHARE)
    if (!isRemoval && kind.change === undefined) return
    const mark = accounts.begin(subject.name, isRemoval)
    if (isRemoval) await kind.remove(this.#client, subject)
    else await kind.change!(this.#client, subject, mark)
    accounts.done(subject.name, subject.id)
  }

  async #create(kind: Kind, accounts: Accounts): Promise<void> {
    if (kind.create === undefined) return
    const name = accounts.newName()
    const mark = accounts.begin(name)
    accounts.done(name, await kind.create(this.#client, name, mark))
  }

  async #push(kind: Kind, accounts: Accounts): Promise<void> {
    const lines = Array.from({ length: 1 + Math.floor(this.#random() * LINES_MAX) }, () => {
      const name = (this.#random() < 0.5 ? accounts.take(this.#random)?.name : undefined) ?? accounts.newName()
      return { name, mark: accounts.begin(name) }
    })
    await kind.push!(this.#client, lines, (name, id) => accounts.done(name, id))
  }

  async #removeAll(kind: Kind, accounts: Accounts): Promise<void> {
    const taken = Array.from({ length: 5 }, () => accounts.take(this.#random))
    const subjects = taken.filter((each): each is Subject => each !== null)
    if (subjects.length === 0) return
    for (const { name } of subjects) accounts.begin(name, true)
    await kind.removeAll!(this.#client, subjects)
    for (const { name, id } of subjects) accounts.done(name, id)
  }
}
