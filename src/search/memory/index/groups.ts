import { mapBytes, stringBytes } from '../columns/memory-size.ts'

/** Numbers for groups; a number is reused once no living document is in its group. */
export class Groups {
  #numbers = new Map<string, number>()
  #names: string[] = []
  #members: number[] = []
  #unused: number[] = []
  #textBytes = 0

  /** Every number is below this. */
  get count(): number {
    return this.#names.length
  }

  /** Approximate; all of it on the heap. */
  get heapBytes(): number {
    return mapBytes(this.#names.length) + this.#names.length * 20 + this.#textBytes
  }

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

  /** Every name by its number, as it is now; empty for a number that is not in use. */
  get names(): string[] {
    return this.#names.slice()
  }

  /** Takes over the numbers of `names`, of which `members` has each once for every member. */
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

  remove(number: number): void {
    if (--this.#members[number] > 0) return
    this.#numbers.delete(this.#names[number])
    this.#textBytes -= stringBytes(this.#names[number])
    this.#names[number] = ''
    this.#unused.push(number)
  }
}
