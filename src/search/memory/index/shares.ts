/**
 * The memory that each owner's documents take in an index, and who gives way when a tenant's memory is full. What a
 * document takes is estimated once, when it is stored, so these numbers only compare owners with each other.
 */
import { mapBytes, stringBytes } from '../columns/memory-size.ts'

/** Stands for the tenant itself, which owns the documents that no person owns. */
export const TENANT = ''

/** What a document takes, and whose it is. */
export interface DocumentShare {
  readonly owner: string
  readonly bytes: number
}

/** The owners of an index's documents. Each has a number, by which a segment names it. */
export class OwnerShares {
  readonly #numbers = new Map<string, number>()
  readonly #names: string[] = []
  readonly #bytes: number[] = []
  #textBytes = 0

  /** Approximate bytes, all on the heap. */
  get heapBytes(): number {
    return mapBytes(this.#names.length) + this.#names.length * 20 + this.#textBytes
  }

  /** A copy of all names, by number. */
  get names(): string[] {
    return this.#names.slice()
  }

  /** Returns the number of an owner. */
  numberOf(owner: string): number {
    const known = this.#numbers.get(owner)
    if (known !== undefined) return known
    const number = this.#names.push(owner) - 1
    this.#numbers.set(owner, number)
    this.#bytes.push(0)
    this.#textBytes += stringBytes(owner)
    return number
  }

  nameOf(number: number): string {
    return this.#names[number]
  }

  /** Adds to what an owner takes; a negative number takes away from it. */
  add(number: number, bytes: number): void {
    this.#bytes[number] += bytes
  }

  /** Returns what an owner takes. */
  bytesOf(owner: string): number {
    const number = this.#numbers.get(owner)
    return number === undefined ? 0 : this.#bytes[number]
  }

  /** Yields each owner that takes something, with its bytes. */
  *[Symbol.iterator](): Generator<readonly [owner: string, bytes: number]> {
    for (const [number, bytes] of this.#bytes.entries()) if (bytes > 0) yield [this.#names[number], bytes]
  }
}

/**
 * Decides whose documents give way so that a document fits: those of the owners that take most, none of which keeps
 * less than the document's owner then takes, since an owner may only displace those that take more.
 * @param shares bytes by owner
 * @param document the document to be stored, and its owner; null to get bytes back from any owner
 * @param lack bytes that are missing
 * @returns by owner, the bytes to give up; null where the document itself has to be left out
 */
export function concessionsFor(
  shares: ReadonlyMap<string, number>,
  document: DocumentShare | null,
  lack: number,
): ReadonlyMap<string, number> | null {
  const least = document === null ? 0 : (shares.get(document.owner) ?? 0) + document.bytes
  const others = [...shares].filter(([owner, bytes]) => owner !== document?.owner && bytes > least)
  others.sort((a, b) => b[1] - a[1])
  let sum = 0
  for (const [i, [, bytes]] of others.entries()) {
    sum += bytes
    const count = i + 1
    // The first `count` owners come down to what the next one takes, or only as far as is needed.
    const next = others[count]?.[1] ?? least
    if (sum - count * next < lack) continue
    const level = (sum - lack) / count
    return new Map(others.slice(0, count).map(([owner, own]) => [owner, own - level]))
  }
  return null
}
