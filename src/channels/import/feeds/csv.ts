import { CsvError, parse } from 'csv-parse/stream'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { type FeedRecord, UnusableFeed } from './feed-record.ts'
import { textOf } from './text.ts'

const RECORD_CHARACTERS_MAX = 2 * 1_024 * 1_024
const DELIMITERS = [',', ';', '\t', '|']

interface ParsedRow {
  readonly info: { readonly lines: number; readonly empty_lines: number }
  readonly record: Readonly<Record<string, string>>
}

/** Yields the records of a table. Its first line has the column names, and decides the delimiter. */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
  tally: LineTally,
): AsyncGenerator<FeedRecord> {
  const text = textOf(chunks, encoding)
  let head = ''
  for (let next = await text.next(); next.done !== true; next = await text.next()) {
    head += next.value
    if (next.value.includes('\n')) break
    if (head.length > RECORD_CHARACTERS_MAX)
      throw new UnusableFeed(
        'notTable',
        `The file is not a table: its first line has more than ${RECORD_CHARACTERS_MAX} characters`,
      )
  }
  let isLineEnded = true
  const all = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(head)
    if (head !== '') isLineEnded = /[\r\n]$/.test(head)
    for await (const part of text) {
      yield Buffer.from(part)
      if (part !== '') isLineEnded = /[\r\n]$/.test(part)
    }
  }
  let columns = 0
  const parser = parse({
    columns(names: string[]) {
      const trimmed = names.map((name) => name.trim())
      columns = new Set(trimmed).size
      return trimmed
    },
    delimiter: delimiterOf(head),
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: RECORD_CHARACTERS_MAX,
  })
  const rows = streamOf(all()).pipeThrough<ParsedRow>(parser).getReader()
  try {
    let last: ParsedRow | null = null
    let emptyLines = 0
    for (let next = await rows.read(); !next.done; next = await rows.read()) {
      const parsed = next.value
      if (last !== null) yield* recordsOf(last, tally)
      tally.blank += parsed.info.empty_lines - emptyLines
      emptyLines = parsed.info.empty_lines
      if (tally.isOver) return
      last = parsed
    }
    if (last === null) return
    const present = Object.keys(last.record).length
    if (isLineEnded || present >= columns) yield* recordsOf(last, tally)
    else {
      tally.line = last.info.lines
      const fault = `the file ends in the middle of it, after ${present} of ${columns} columns`
      yield { line: last.info.lines, bytes: 0, fault, reason: 'cutRow' }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new UnusableFeed('cut', 'The file ends in the middle of a quoted field; import the whole file')
    throw new UnusableFeed('table', `The table cannot be read: ${error.message}`)
  } finally {
    await rows.cancel().catch(() => undefined)
  }
}

/** Makes a web stream, since browsers read feeds too; not all browsers have `ReadableStream.from`. */
function streamOf<T>(items: AsyncGenerator<T>): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      const { done, value } = await items.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await items.return(undefined)
    },
  })
}

function* recordsOf({ info, record }: ParsedRow, tally: LineTally): Generator<FeedRecord> {
  tally.line = info.lines
  const values = Object.values(record)
  // Spreadsheets write lines with nothing but delimiters at the end.
  if (values.every((value) => value.trim() === '')) {
    tally.blank++
    return
  }
  const bytes = values.reduce((sum, value) => sum + value.length, 0)
  yield { line: info.lines, bytes, record }
}

function delimiterOf(text: string): string {
  const header = text.split('\n', 1)[0].replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]
}
