import { Fault } from '../../../platform/faults.ts'
import type { FieldNames } from '../../../platform/contract/decimal.ts'
import { parseJson } from '../../../platform/contract/json.ts'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { ndjsonLines } from '../../../platform/lines/ndjson.ts'
import { CommandFailed } from '../failure.ts'
import { sayFaults } from '../import/report.ts'
import type { FeedRecord } from './feed.ts'

const RECORD_BYTES_MAX = 2 * 1_024 * 1_024
/** Any number may turn out to be a price. */
const EVERY: FieldNames = { has: () => true }
const NO_OBJECT = 'it is not a JSON object'
const TOO_LARGE = `it is larger than ${RECORD_BYTES_MAX} bytes`

/** JSON Lines: an object on each line. */
export async function* jsonLineRecords(
  chunks: AsyncIterable<Buffer>,
  _encoding: string,
  tally: LineTally,
): AsyncGenerator<FeedRecord> {
  const lines = ndjsonLines(withoutMark(chunks), RECORD_BYTES_MAX, { exactNumbers: EVERY, tally })
  for await (const { line, bytes, value, fault } of lines) {
    if (fault !== undefined) yield { line, bytes, fault: sayFaults(fault.details) }
    else if (value === null || typeof value !== 'object' || Array.isArray(value))
      yield { line, bytes, fault: NO_OBJECT }
    else yield { line, bytes, record: value as Record<string, unknown> }
  }
}

/**
 * The objects of a list, at the top of the document or in a member of its top object, without ever holding more
 * than one of them.
 */
export async function* jsonListRecords(
  chunks: AsyncIterable<Buffer>,
  _encoding: string,
  tally: LineTally,
): AsyncGenerator<FeedRecord> {
  const splitter = new ListSplitter()
  for await (const chunk of withoutMark(chunks)) {
    for (const member of splitter.add(chunk)) yield recordOf(++tally.line, member)
  }
  if (!splitter.isComplete) throw new CommandFailed('The JSON ends in the middle; import the whole file')
}

function recordOf(line: number, member: Member): FeedRecord {
  if (typeof member === 'string') return { line, bytes: 0, fault: member }
  try {
    return { line, bytes: member.length, record: parseJson(member, ['body'], EVERY) as Record<string, unknown> }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { line, bytes: member.length, fault: sayFaults(error.details) }
  }
}

async function* withoutMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of chunks) {
    yield isFirst && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk
    isFirst = false
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, COMMA] = [...Buffer.from('"\\[]{},')]
const SPACE = 0x20

/** An object of a list as it stands there, or why there is none. */
type Member = Buffer | typeof NO_OBJECT | typeof TOO_LARGE

/**
 * Cuts the objects of top lists out of a document that comes in pieces. What else is in such a list is told as no
 * object; but a list in a member of the top object is one of products only if there is an object in it.
 */
class ListSplitter {
  /** What is open, as far as it tells where a list is: the two outermost brackets. */
  #outer = ''
  #depth = 0
  #isString = false
  #isEscaped = false
  #hasBegun = false
  /** Whether a member of the list has begun since its beginning or its last comma. */
  #isMember = false
  /** Whether the list is one of products: it is the document, or there has been an object in it. */
  #hasObject = false
  /** Members so far of a list that are no objects, not told of yet. */
  #others = 0
  /** The parts of the object being cut out; null outside of one. */
  #parts: Buffer[] | null = null
  #bytes = 0

  /** Whether everything that was opened has been closed. */
  get isComplete(): boolean {
    return this.#hasBegun && this.#depth === 0 && !this.#isString
  }

  /** Whether what opens now stands in a list at the top, or in a member of the top object. */
  get #isInList(): boolean {
    return (this.#depth === 1 && this.#outer === '[') || (this.#depth === 2 && this.#outer === '{[')
  }

  /** @returns the members that end in this chunk */
  *add(chunk: Buffer): Generator<Member> {
    let start = 0
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]
      if (this.#isString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === BACKSLASH) this.#isEscaped = true
        else if (byte === QUOTE) this.#isString = false
      } else if (byte === QUOTE) {
        this.#isString = true
        this.#begin()
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (byte === OPEN_OBJECT && this.#isInList) {
          yield* this.#tellOthers()
          this.#isMember = true
          this.#hasObject = true
          this.#parts = []
          this.#bytes = 0
          start = i
        } else this.#begin()
        if (this.#depth < 2) this.#outer += byte === OPEN_OBJECT ? '{' : '['
        this.#depth++
        this.#hasBegun = true
        if (byte === OPEN_LIST && this.#isInList) {
          this.#isMember = false
          this.#hasObject = this.#depth === 1
          this.#others = 0
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (this.#isInList && this.#hasObject) yield* this.#tellOthers()
        this.#depth = Math.max(0, this.#depth - 1)
        this.#outer = this.#outer.slice(0, this.#depth)
        if (this.#parts !== null && this.#isInList) {
          this.#keep(chunk.subarray(start, i + 1))
          yield this.#bytes > RECORD_BYTES_MAX ? TOO_LARGE : Buffer.concat(this.#parts)
          this.#parts = null
        }
      } else if (byte === COMMA) {
        if (this.#isInList) this.#isMember = false
      } else if (byte > SPACE) this.#begin()
    }
    if (this.#parts !== null) this.#keep(chunk.subarray(start))
  }

  /** Notes what begins where an object of the list could. */
  #begin(): void {
    if (this.#isMember || !this.#isInList) return
    this.#isMember = true
    this.#others++
  }

  *#tellOthers(): Generator<Member> {
    for (; this.#others > 0; this.#others--) yield NO_OBJECT
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > RECORD_BYTES_MAX) this.#parts = []
    else this.#parts!.push(part)
  }
}
