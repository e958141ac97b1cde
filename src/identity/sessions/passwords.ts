import { HashQueue } from './hash-queue.ts'
import { hashPassword, isPassword, isWeak, PASSWORD_COST, type PasswordCost, unmatchedHash } from './password-hash.ts'

/** Hashes passwords for sign-ins, a few at a time; client addresses take turns. */
export class Passwords {
  readonly #queue = new HashQueue()
  readonly #cost: PasswordCost
  /** Hash to compare with when a user has none, so that the time of an answer does not show whether a user exists. */
  readonly unmatched: string

  /** @param cost of new hashes; only tests choose another than the default */
  constructor(cost: PasswordCost = PASSWORD_COST) {
    this.#cost = cost
    this.unmatched = unmatchedHash(cost)
  }

  /** Number of passwords that wait to be hashed. */
  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * Returns the candidates whose hash matches the password. Without a candidate the call takes as long as with one.
   * @param address of the client, as `clientAddress` returns it
   * @throws Fault rate_limited or unavailable when too many passwords wait
   */
  async matching<T>(
    address: string,
    password: string,
    candidates: readonly T[],
    hashOf: (one: T) => string,
  ): Promise<T[]> {
    const matching: T[] = []
    for (const one of candidates) if (await this.#isPassword(address, password, hashOf(one))) matching.push(one)
    if (candidates.length === 0) await this.#isPassword(address, password, this.unmatched)
    return matching
  }

  /** Hashes a new password. @throws Fault rate_limited or unavailable when too many passwords wait */
  async hash(address: string, password: string): Promise<string> {
    return this.#queue.run(address, () => hashPassword(password, this.#cost))
  }

  /** Tells whether a hash was made with a lower cost than new hashes are. */
  isWeak(hash: string): boolean {
    return isWeak(hash, this.#cost)
  }

  #isPassword(address: string, password: string, hash: string): Promise<boolean> {
    return this.#queue.run(address, () => isPassword(password, hash))
  }
}
