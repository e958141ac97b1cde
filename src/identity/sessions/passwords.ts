import { HashQueue } from './hash-queue.ts'
import { hashPassword, isPassword, NO_PASSWORD } from './password-hash.ts'

/** Hashes passwords for sign-ins, a few at a time, with client addresses taking turns. */
export class Passwords {
  readonly #queue = new HashQueue()

  /** How many passwords wait to be hashed. */
  get waiting(): number {
    return this.#queue.waiting
  }

  /**
   * The candidates whose hash matches the password. Without a candidate the call takes as long as with one.
   * @throws Fault rate_limited or unavailable when too many wait
   */
  async matching<T>(
    address: string,
    password: string,
    candidates: readonly T[],
    hashOf: (one: T) => string,
  ): Promise<T[]> {
    const matching: T[] = []
    for (const one of candidates) if (await this.#isPassword(address, password, hashOf(one))) matching.push(one)
    if (candidates.length === 0) await this.#isPassword(address, password, NO_PASSWORD)
    return matching
  }

  async hash(address: string, password: string): Promise<string> {
    return this.#queue.run(address, () => hashPassword(password))
  }

  #isPassword(address: string, password: string, hash: string): Promise<boolean> {
    return this.#queue.run(address, () => isPassword(password, hash))
  }
}
