import { mapBytes, stringBytes } from '../columns/memory-size.ts'

/** The groups of an index. Each has a number, which is used again once the group has no living document. */
export class Groups {
  #numbers = new Map<string, number>()
  #names: string[] = []
  #members: number[] = []
  #unused: number[] = []
  #textBytes = 0

  /** Every group's number is below this one. */
  get count(): number {
    return this.#names.length
  }

  /** Approximate bytes, all on the heap. */
  get heapBytes(): number {
    return mapBytes(this.#names.length) + this.#names.length * 20 + this.#textBytes
  }

  /** Counts one more member of a group. @returns the group's number */
  add(name: string): number {
    let number = this.#numbers.get(name)
    if (number === undefined) {
      number = this.#unused.pop() ?? this.#names.length
      this.#numbers.set(name, number)
      this.#textBytes += stringBytes(name)
      this.#names[number] = name
      this.#members[number] = 0
    }
    this.#members[number]++
    return number
  }

  /** A copy of all names, by number; empty for a number that is not in use. */
  get names(): string[] {
    return this.#names.slice()
  }

  /** Takes over groups by number. @param members the number of each document's group, for all living documents */
  restore(names: readonly string[], members: Iterable<number>): void {
    this.#members = names.map(() => 0)
    this.#names = names.slice()
    for (const number of members) {
      if (this.#members[number]++ > 0) continue
      this.#numbers.set(names[number], number)
      this.#textBytes += stringBytes(names[number])
    }
    for (const [number, count] of this.#members.entries()) {
      if (count > 0) continue
      this.#names[number] = ''
      this.#unused.push(number)
    }
  }

  /** Counts one member fewer. */
  remove(number: number): void {
    if (--this.#members[number] > 0) return
    this.#numbers.delete(this.#names[number])
    this.#textBytes -= stringBytes(this.#names[number])
    this.#names[number] = ''
    this.#unused.push(number)
  }
}
