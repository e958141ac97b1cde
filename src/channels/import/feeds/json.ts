import { Fault } from '../../../platform/faults.ts'
import type { FieldNames } from '../../../platform/contract/decimal.ts'
import { parseJson } from '../../../platform/contract/json.ts'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { ndjsonLines } from '../../../platform/lines/ndjson.ts'
import { sayFaults } from '../say-faults.ts'
import { type FeedRecord, type RecordFault, UnusableFeed } from './feed-record.ts'

const RECORD_BYTES_MAX = 2 * 1_024 * 1_024
/** Names of the fields whose numbers stay exact: all, because any of them may be a price. */
const EVERY: FieldNames = { has: () => true }
const NO_OBJECT = 'it is not a JSON object'
const TOO_LARGE = `it is larger than ${RECORD_BYTES_MAX} bytes`

/** Yields the objects of JSON Lines, one on each line. */
export async function* jsonLineRecords(
  chunks: AsyncIterable<Buffer>,
  _encoding: string,
  tally: LineTally,
): AsyncGenerator<FeedRecord> {
  const lines = ndjsonLines(withoutMark(chunks), RECORD_BYTES_MAX, { exactNumbers: EVERY, tally })
  for await (const { line, bytes, value, fault } of lines) {
    if (fault !== undefined) yield { line, bytes, fault: sayFaults(fault.details), reason: reasonOf(fault) }
    else if (value === null || typeof value !== 'object' || Array.isArray(value))
      yield { line, bytes, fault: NO_OBJECT, reason: 'notObject' }
    else yield { line, bytes, record: value as Record<string, unknown> }
  }
}

/**
 * Yields the objects of a list, which is the document itself or a member of its top object. Only one object at a time
 * is in memory.
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
  if (!splitter.isComplete) throw new UnusableFeed('cut', 'The JSON ends in the middle; import the whole file')
}

function recordOf(line: number, member: Member): FeedRecord {
  if (typeof member === 'string')
    return { line, bytes: 0, fault: member, reason: member === NO_OBJECT ? 'notObject' : 'tooLarge' }
  try {
    return { line, bytes: member.length, record: parseJson(member, ['body'], EVERY) as Record<string, unknown> }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { line, bytes: member.length, fault: sayFaults(error.details), reason: reasonOf(error) }
  }
}

function reasonOf({ details }: Fault): RecordFault {
  return details[0]?.type === 'line_too_long' ? 'tooLarge' : 'notJson'
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

/** A member of a list: the text of an object, or the fault of another member. */
type Member = Buffer | typeof NO_OBJECT | typeof TOO_LARGE

/**
 * Cuts the objects of top lists out of a document that comes in chunks. Other members of such a list become faults. A
 * list in a member of the top object counts only if it contains an object.
 */
class ListSplitter {
  /** The two outermost open brackets, which tell whether a list is a top list. */
  #outer = ''
  #depth = 0
  #isString = false
  #isEscaped = false
  #hasBegun = false
  /** Whether a member has begun since the start of the list or its last comma. */
  #isMember = false
  /** Whether the list has products: it is the document itself, or has had an object. */
  #hasObject = false
  /** Number of members that are not objects and not yielded yet. */
  #others = 0
  /** The chunks of the current object; null outside of an object. */
  #parts: Buffer[] | null = null
  #bytes = 0

  /** Whether all brackets and strings have been closed. */
  get isComplete(): boolean {
    return this.#hasBegun && this.#depth === 0 && !this.#isString
  }

  /** Whether the current position is directly in a top list. */
  get #isInList(): boolean {
    return (this.#depth === 1 && this.#outer === '[') || (this.#depth === 2 && this.#outer === '{[')
  }

  /** Yields the members that end in this chunk. */
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

  /** Counts a member that begins in the list and is not an object. */
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
