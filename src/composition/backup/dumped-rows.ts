import type { Readable } from 'node:stream'

const LINE_END = 0x0a
/** Bytes of a line that are kept: enough for the name of a table, while a row may have megabytes. */
const HEAD_BYTES = 1_024
/** The line before the rows of a table, such as `COPY public.entries (tenant_id, id) FROM stdin;` */
const COPY = /^COPY (?:public\.)?(\S+) /

/**
 * Counts the rows of each table in a dump. It reads the whole SQL that pg_restore makes of the dump, so that pg_restore
 * meets every part that cannot be read.
 * @param dump output of pg_restore
 */
export async function countDumpedRows(dump: Readable): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  let table: string | null = null
  let head = Buffer.alloc(0)
  const endLine = (): void => {
    if (table === null) {
      table = COPY.exec(head.toString('utf8'))?.[1].replaceAll('"', '') ?? null
      if (table !== null) counts[table] = 0
    } else if (head.equals(END)) table = null
    else counts[table]++
    head = Buffer.alloc(0)
  }
  for await (const chunk of dump as AsyncIterable<Buffer>) {
    let from = 0
    while (from < chunk.length) {
      const lineEnd = chunk.indexOf(LINE_END, from)
      const end = lineEnd < 0 ? chunk.length : lineEnd
      const room = HEAD_BYTES - head.length
      if (room > 0) head = Buffer.concat([head, chunk.subarray(from, Math.min(end, from + room))])
      if (lineEnd >= 0) endLine()
      from = end + 1
    }
  }
  return counts
}

/** The line after the last row of a table. */
const END = Buffer.from('\\.')
