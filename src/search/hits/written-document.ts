/** Writes documents as JSON from which an answer can take some fields without parsing it. */

/** The fields of one kind of documents, in the order of the kind's contract. */
export class DocumentShape {
  readonly names: readonly string[]
  readonly #places: ReadonlyMap<string, number>
  /** The beginning of each field in JSON: the quoted name and a colon. */
  readonly #keys: readonly string[]

  constructor(names: readonly string[]) {
    this.names = names
    this.#places = new Map(names.map((name, i) => [name, i]))
    this.#keys = names.map((name) => `${JSON.stringify(name)}:`)
  }

  /** Writes a document as JSON, with the fields of this shape alone: undeclared fields never leave the service. */
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
    const buffer = Buffer.allocUnsafeSlow(bytes + 1)
    buffer.write(`${json}}`)
    return new WrittenDocument(this, buffer, ends)
  }

  /** Returns the place of a field in `names`. @throws RangeError when the kind has no such field */
  placeOf(name: string): number {
    const place = this.#places.get(name)
    if (place === undefined) throw new RangeError(`no field ${name}`)
    return place
  }

  /** Returns the beginning of a field in JSON: the quoted name and a colon. */
  keyAt(place: number): string {
    return this.#keys[place]
  }
}

const COMMA = 0x2c

/** A document as JSON, with the place of each field. */
export class WrittenDocument {
  /** The whole document as JSON. */
  readonly json: Buffer
  readonly #shape: DocumentShape
  /** The offset in `json` at which each field ends; an absent field ends where the field before it does. */
  readonly #ends: Uint32Array

  constructor(shape: DocumentShape, json: Buffer, ends: Uint32Array) {
    this.#shape = shape
    this.json = json
    this.#ends = ends
  }

  /** Bytes of memory that the document takes. */
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
   * Returns the JSON of the document, in parts that the caller concatenates.
   * @param fields fields to show, in this order; null for all
   * @param current values, by field, that take the place of the document's own
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

  /** Returns a field's part of the JSON, without a comma; empty when the document lacks the field. */
  #memberAt(place: number): Buffer {
    const [start, end] = this.#rangeOf(place)
    return this.json.subarray(start < end && this.json[start] === COMMA ? start + 1 : start, end)
  }
}

const OPEN = Buffer.from('{')
const NEXT = Buffer.from(',')
const CLOSE = Buffer.from('}')
const EMPTY = Buffer.from('{}')
