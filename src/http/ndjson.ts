import { invalid, Fault } from '../faults.ts'
import { ByteCollector } from './byte-collector.ts'
import type { FieldNames } from './decimal.ts'
import { TEXT_AFTER_VALUE } from './json-diagnosis.ts'
import { parseJson } from './json.ts'

/** One line of NDJSON, counted from 1, with the bytes kept of it: its value, or why it cannot be read. Blank lines are counted and left out. */
export type NdjsonLine =
  | { readonly line: number; readonly bytes: number; readonly value: unknown; readonly fault?: undefined }
  | { readonly line: number; readonly bytes: number; readonly fault: Fault; readonly value?: undefined }

const NEWLINE = 0x0a
const LOC = ['body']
/** `curl --data @file` sends a file without its line ends, as one line. */
const ONE_A_LINE = 'one document a line; curl needs --data-binary'

/**
 * Reads a stream of JSON documents, one a line. Reads on only as fast as the consumer asks. A faulty line
 * spoils only itself; a line longer than `lineBytesMax` is skipped to its end without being kept.
 * @param exactNumbers see `parseJson`
 */
export async function* ndjsonLines(
  stream: AsyncIterable<Uint8Array>,
  lineBytesMax: number,
  exactNumbers?: FieldNames,
): AsyncGenerator<NdjsonLine> {
  let line = 1
  const kept = new ByteCollector()
  let bytes = 0
  const finish = (): NdjsonLine | null => {
    const read =
      bytes > lineBytesMax
        ? { line, bytes: 0, fault: tooLong(lineBytesMax) }
        : readLine(line, kept.take(), exactNumbers)
    line++
    kept.clear()
    bytes = 0
    return read
  }
  for await (const chunk of stream) {
    let start = 0
    for (;;) {
      const newline = chunk.indexOf(NEWLINE, start)
      const part = chunk.subarray(start, newline < 0 ? chunk.length : newline)
      bytes += part.length
      if (bytes > lineBytesMax) kept.clear()
      else kept.add(part)
      if (newline < 0) break
      const read = finish()
      if (read !== null) yield read
      start = newline + 1
    }
  }
  if (bytes > 0) {
    const read = finish()
    if (read !== null) yield read
  }
}

function readLine(line: number, bytes: Buffer, exactNumbers?: FieldNames): NdjsonLine | null {
  if (isBlank(bytes)) return null
  try {
    return { line, bytes: bytes.length, value: parseJson(bytes, LOC, exactNumbers) }
  } catch (error) {
    if (error instanceof Fault) return { line, bytes: bytes.length, fault: explained(error) }
    throw error
  }
}

function explained(fault: Fault): Fault {
  const [{ type, msg }] = fault.details
  return msg.includes(TEXT_AFTER_VALUE) ? invalid(LOC, type, `${msg}: ${ONE_A_LINE}`) : fault
}

/** Space, tab and the carriage return of a Windows line end. */
function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

function tooLong(lineBytesMax: number): Fault {
  return invalid(LOC, 'line_too_long', `Line should have at most ${lineBytesMax} bytes: ${ONE_A_LINE}`)
}
