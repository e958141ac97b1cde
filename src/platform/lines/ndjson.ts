import { invalid, Fault } from '../faults.ts'
import type { Pause } from '../threads/slices.ts'
import { ByteCollector } from '../byte-collector.ts'
import type { FieldNames } from '../contract/decimal.ts'
import { TEXT_AFTER_VALUE } from '../contract/json-diagnosis.ts'
import { parseJson } from '../contract/json.ts'
import type { LineTally } from './line-tally.ts'

/**
 * Most bytes of a line of a bulk request. A body with a single document has the same limit
 * (`http/bodies/body-limits.ts`).
 */
export const LINE_BYTES_MAX = 2 * 1_024 * 1_024

/**
 * One line of NDJSON with its number, from 1, its length in bytes, and its value or fault. Blank lines are counted but
 * not returned.
 */
export type NdjsonLine =
  | { readonly line: number; readonly bytes: number; readonly value: unknown; readonly fault?: undefined }
  | { readonly line: number; readonly bytes: number; readonly fault: Fault; readonly value?: undefined }

export interface NdjsonOptions {
  /** See `parseJson`. */
  readonly exactNumbers?: FieldNames
  /**
   * Counts all lines, including blank ones. The consumer adds failed lines. Reading ends once the tally is over
   * (`LineTally.isOver`).
   */
  readonly tally?: LineTally
  /** Awaited between lines, so that no stream blocks the thread. */
  readonly pause?: Pause
}

const NEWLINE = 0x0a
/** Consecutive line ends that are skipped before other work gets a turn; takes far less than a millisecond. */
const LINE_ENDS_PER_STEP = 1_024
const LOC = ['body']
/** `curl --data @file` removes line ends, so the file arrives as one line. */
const ONE_A_LINE = 'one document a line; curl needs --data-binary'

/**
 * Reads a stream of JSON documents, one per line, only as fast as the consumer takes them. A faulty line affects only
 * itself. A line longer than `lineBytesMax` becomes a fault; its bytes do not stay in memory.
 */
export async function* ndjsonLines(
  stream: AsyncIterable<Uint8Array>,
  lineBytesMax: number,
  { exactNumbers, tally, pause }: NdjsonOptions = {},
): AsyncGenerator<NdjsonLine> {
  let lines = 0
  const collector = new ByteCollector()
  /** Bytes of the current line so far, also those of an overlong line. */
  let bytes = 0
  let isBlank = true
  const finish = (): NdjsonLine | null => {
    count(1)
    if (isBlank && bytes <= lineBytesMax) {
      if (tally !== undefined) tally.blank++
      return null
    }
    return bytes > lineBytesMax
      ? { line: lines, bytes: 0, fault: tooLong(lineBytesMax) }
      : readLine(lines, collector.take(), exactNumbers)
  }
  const begin = (): void => {
    collector.clear()
    bytes = 0
    isBlank = true
  }
  const count = (more: number): void => {
    lines += more
    if (tally !== undefined) tally.line = lines
  }
  for await (const chunk of stream) {
    let start = 0
    for (;;) {
      if (bytes === 0) {
        const ends = lineEndsAt(chunk, start)
        start += ends
        count(ends)
        if (tally !== undefined) tally.blank += ends
      }
      const newline = chunk.indexOf(NEWLINE, start)
      const part = chunk.subarray(start, newline < 0 ? chunk.length : newline)
      bytes += part.length
      isBlank &&= isBlankPart(part)
      if (bytes > lineBytesMax) collector.clear()
      else collector.add(part)
      if (newline < 0) break
      const item = finish()
      begin()
      if (item !== null) {
        // A line of 2 MiB takes tens of milliseconds to parse, and as long to check.
        const turn = pause?.()
        if (turn !== undefined) await turn
        yield item
      }
      if (tally?.isOver === true) return
      start = newline + 1
      const turn = pause?.()
      if (turn !== undefined) await turn
    }
    if (tally?.isOver === true) return
    const turn = pause?.()
    if (turn !== undefined) await turn
  }
  // When reading had to end early, the rest is only a part of a line.
  if (bytes > 0 && tally?.isOver !== true) {
    const item = finish()
    if (item !== null) yield item
  }
}

/** Counts the consecutive line ends from `start` on, at most `LINE_ENDS_PER_STEP`. */
function lineEndsAt(chunk: Uint8Array, start: number): number {
  const stop = Math.min(chunk.length, start + LINE_ENDS_PER_STEP)
  let at = start
  while (at < stop && chunk[at] === NEWLINE) at++
  return at - start
}

function readLine(line: number, bytes: Buffer, exactNumbers?: FieldNames): NdjsonLine {
  try {
    return { line, bytes: bytes.length, value: parseJson(bytes, LOC, exactNumbers) }
  } catch (error) {
    if (error instanceof Fault) return { line, bytes: bytes.length, fault: withHint(error) }
    throw error
  }
}

/** Adds to the fault of a second document on a line how to send documents one a line. */
function withHint(fault: Fault): Fault {
  const [{ type, msg }] = fault.details
  return msg.includes(TEXT_AFTER_VALUE) ? invalid(LOC, type, `${msg}: ${ONE_A_LINE}`) : fault
}

/** Tells whether all bytes are spaces, tabs or the carriage return of a Windows line end. */
function isBlankPart(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  }
  return true
}

function tooLong(lineBytesMax: number): Fault {
  return invalid(LOC, 'line_too_long', `Line should have at most ${lineBytesMax} bytes: ${ONE_A_LINE}`)
}
