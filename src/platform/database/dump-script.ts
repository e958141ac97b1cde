import type { Readable } from 'node:stream'

const LINE_END = 0x0a
/** The line after the last row of a table, with the end of the row before. A row never has it: its backslash is doubled. */
const ROWS_END = Buffer.from('\n\\.\n')
/** The line before the rows of a table, such as `COPY public.entries (tenant_id, id) FROM stdin;` */
const COPY = /^COPY .* FROM stdin;$/
/** Commands of psql with which newer versions of pg_restore bracket a script. The server does not know them. */
const PSQL_ONLY = /^\\(?:un)?restrict /

/** A part of a script: statements to carry out, or a COPY statement with its rows. */
type ScriptPart = { readonly statements: string } | { readonly copy: string; readonly rows: AsyncIterable<Uint8Array> }

/**
 * Divides the script that pg_restore writes into its statements and the rows of its tables. The rows of a part must be
 * read before the next part.
 * @throws Error when the script ends within the rows of a table
 */
export async function* partsOf(script: Readable): AsyncGenerator<ScriptPart> {
  const source = new Source(script)
  let statements = ''
  for (;;) {
    const line = await source.line()
    if (line !== null && !COPY.test(line)) {
      if (!PSQL_ONLY.test(line)) statements += `${line}\n`
      continue
    }
    if (statements.trim() !== '') yield { statements }
    statements = ''
    if (line === null) return
    yield { copy: line, rows: source.rows() }
  }
}

/** The table, columns and rows of a COPY statement, with each value as text, or null. */
interface DumpedTable {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: AsyncGenerator<readonly (string | null)[]>
}

/** A statement such as `COPY public.entries (tenant_id, id) FROM stdin;` */
const COPIED = /^COPY (?:public\.)?(\S+) \((.*)\) FROM stdin;$/

/** Reads the values of a part that has rows. */
export function rowsOf({
  copy,
  rows,
}: {
  readonly copy: string
  readonly rows: AsyncIterable<Uint8Array>
}): DumpedTable {
  const [, table = '', columns = ''] = COPIED.exec(copy) ?? []
  const unquoted = (name: string): string => name.replaceAll('"', '')
  return { table: unquoted(table), columns: columns.split(', ').map(unquoted), rows: valuesIn(rows) }
}

async function* valuesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly (string | null)[]> {
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      pieces.push(chunk.subarray(from, end))
      from = end + 1
      yield Buffer.concat(pieces.splice(0)).toString('utf8').split('\t').map(unescaped)
    }
    pieces.push(chunk.subarray(from))
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Reads a value in the text format of COPY. https://www.postgresql.org/docs/current/sql-copy.html */
function unescaped(text: string): string | null {
  if (text === '\\N') return null
  return text.includes('\\') ? text.replaceAll(/\\(.)/gs, (_all, letter: string) => ESCAPES[letter] ?? letter) : text
}

/** Reads lines and rows from a stream. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  }

  /** Returns the next line without its end; null after the last one. */
  async line(): Promise<string | null> {
    let from = 0
    for (;;) {
      const end = this.#rest.indexOf(LINE_END, from)
      if (end >= 0) return this.#take(end, 1).toString('utf8')
      from = this.#rest.length
      if (await this.#more()) continue
      return from === 0 ? null : this.#take(from, 0).toString('utf8')
    }
  }

  /** Yields the rows of a table in pieces, and reads the line after them. */
  async *rows(): AsyncGenerator<Uint8Array> {
    const onlyEnd = ROWS_END.subarray(1)
    while (this.#rest.length < onlyEnd.length) await this.#require()
    if (this.#rest.subarray(0, onlyEnd.length).equals(onlyEnd)) {
      this.#take(onlyEnd.length, 0)
      return
    }
    for (;;) {
      const at = this.#rest.indexOf(ROWS_END)
      if (at >= 0) {
        yield this.#take(at + 1, ROWS_END.length - 1)
        return
      }
      // The beginning of the end may be there already.
      const whole = this.#rest.length - (ROWS_END.length - 1)
      if (whole > 0) yield this.#take(whole, 0)
      await this.#require()
    }
  }

  /** Returns the next bytes, and skips some after them. */
  #take(length: number, skipped: number): Buffer {
    const taken = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length + skipped)
    return taken
  }

  async #more(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done === true) return false
    this.#rest = this.#rest.length === 0 ? value : Buffer.concat([this.#rest, value])
    return true
  }

  async #require(): Promise<void> {
    if (!(await this.#more())) throw new Error('the dump ends within the rows of a table')
  }
}
