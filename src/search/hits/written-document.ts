/** Documents as JSON of which an answer can show some fields. */

/** The fields of one kind of documents, in the order of its contract. */
export class DocumentShape {
  readonly names: readonly string[]
  readonly #places: ReadonlyMap<string, number>
  /** Each name as the beginning of a JSON member. */
  readonly #keys: readonly string[]

  constructor(names: readonly string[]) {
    this.names = names
    this.#places = new Map(names.map((name, i) => [name, i]))
    this.#keys = names.map((name) => `${JSON.stringify(name)}:`)
  }

  /** Writes the fields that a document has; undeclared ones never leave the service. */
  write(document: Readonly<Record<string, unknown>>): WrittenDocument {
    const ends = new Uint32Array(this.names.length)
    let json = '{'
    let bytes = 1
    for (const [i, name] of this.names.entries()) {
      const value = document[name]
      if (value !== undefined) {
        const member = `${bytes === 1 ? '' : ','}${this.#keys[i]}${JSON.stringify(value)}`
        bytes += Buffer.byteLength(member)
        json += member
      }
      ends[i] = bytes
    }
    // A small slice of Node's pool would keep its whole block alive in the cache.
    const own = Buffer.allocUnsafeSlow(bytes + 1)
    own.write(`${json}}`)
    return new WrittenDocument(this, own, ends)
  }

  /** @throws RangeError when the kind has no such field */
  placeOf(name: string): number {
    const place = this.#places.get(name)
    if (place === undefined) throw new RangeError(`no field ${name}`)
    return place
  }

  keyAt(place: number): string {
    return this.#keys[place]
  }
}

const COMMA = 0x2c

export class WrittenDocument {
  /** The whole document as JSON. */
  readonly json: Buffer
  readonly #shape: DocumentShape
  /** Where the member of each field ends in the JSON; a field that is absent ends where the one before it does. */
  readonly #ends: Uint32Array

  constructor(shape: DocumentShape, json: Buffer, ends: Uint32Array) {
    this.#shape = shape
    this.json = json
    this.#ends = ends
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.json.length + this.#ends.byteLength
  }

  /** Returns the value of a field; undefined when the document has none. @throws RangeError for an unknown name */
  get(name: string): unknown {
    const place = this.#shape.placeOf(name)
    const member = this.#memberAt(place)
    return member.length === 0 ? undefined : JSON.parse(member.toString('utf8', this.#shape.keyAt(place).length))
  }

  /**
   * Returns the JSON of the document in parts.
   * @param fields the ones to show, in their order; null for all
   * @param current values that take the place of those of the document, by field
   */
  parts(fields: readonly string[] | null, current: Readonly<Record<string, unknown>> = {}): Buffer[] {
    if (fields === null) return this.#whole(current)
    const parts: Buffer[] = []
    for (const name of fields) {
      const place = this.#shape.placeOf(name)
      const member = current[name] === undefined ? this.#memberAt(place) : this.#written(place, current[name])
      if (member.length > 0) parts.push(parts.length === 0 ? OPEN : NEXT, member)
    }
    parts.push(parts.length === 0 ? EMPTY : CLOSE)
    return parts
  }

  #whole(current: Readonly<Record<string, unknown>>): Buffer[] {
    const names = Object.keys(current).filter((name) => current[name] !== undefined)
    const places = names.map((name) => this.#shape.placeOf(name)).sort((a, b) => a - b)
    const parts: Buffer[] = []
    let from = 0
    for (const place of places) {
      const [start, end] = this.#rangeOf(place)
      const isFirst = start === 1
      const hasComma = start < end && !isFirst
      parts.push(this.json.subarray(from, hasComma ? start + 1 : start))
      if (start === end && !isFirst) parts.push(NEXT)
      parts.push(this.#written(place, current[this.#shape.names[place]]))
      // An absent first member is followed by the comma that the next one does not have.
      if (start === end && isFirst && end < this.json.length - 1) parts.push(NEXT)
      from = end
    }
    parts.push(from === 0 ? this.json : this.json.subarray(from))
    return parts
  }

  #written(place: number, value: unknown): Buffer {
    return Buffer.from(this.#shape.keyAt(place) + JSON.stringify(value))
  }

  #rangeOf(place: number): readonly [number, number] {
    return [place === 0 ? 1 : this.#ends[place - 1], this.#ends[place]]
  }

  /** The member of a field without a comma; empty when the document has none. */
  #memberAt(place: number): Buffer {
    const [start, end] = this.#rangeOf(place)
    return this.json.subarray(start < end && this.json[start] === COMMA ? start + 1 : start, end)
  }
}

const OPEN = Buffer.from('{')
const NEXT = Buffer.from(',')
const CLOSE = Buffer.from('}')
const EMPTY = Buffer.from('{}')
