import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { CommandFailed } from '../failure.ts'
import type { FeedRecord } from './feed.ts'
import { textOf } from './text.ts'

const RECORD_CHARACTERS_MAX = 2 * 1_024 * 1_024
const DELIMITERS = [',', ';', '\t', '|']

interface Parsed {
  readonly info: { readonly lines: number }
  readonly record: Readonly<Record<string, string>>
}

/** A table with a line of column names; the delimiter is what those are separated by. */
export async function* csvRecords(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<FeedRecord> {
  const text = textOf(chunks, encoding)
  let head = ''
  for (let next = await text.next(); next.done !== true; next = await text.next()) {
    head += next.value
    // A file without line ends, such as a picture, must not be read into memory for its first line.
    if (head.includes('\n') || head.length > RECORD_CHARACTERS_MAX) break
  }
  const all = async function* (): AsyncGenerator<string> {
    yield head
    yield* text
  }
  const parser = parse({
    columns: (names: string[]) => names.map((name) => name.trim()),
    delimiter: delimiterOf(head),
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: RECORD_CHARACTERS_MAX,
  })
  const source = Readable.from(all())
  source.on('error', (error) => parser.destroy(error))
  try {
    for await (const { info, record } of source.pipe(parser) as AsyncIterable<Parsed>) {
      const values = Object.values(record)
      // A line of nothing but delimiters is what spreadsheets leave at the end.
      if (values.every((value) => value.trim() === '')) continue
      const bytes = values.reduce((sum, value) => sum + value.length, 0)
      yield { name: `line ${info.lines}`, bytes, record }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new CommandFailed(`The file is no table that can be read: ${error.message}`)
    throw error
  } finally {
    source.destroy()
  }
}

function delimiterOf(text: string): string {
  const header = text.split('\n', 1)[0].replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]
}
