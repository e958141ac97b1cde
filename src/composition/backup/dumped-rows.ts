import type { Readable } from 'node:stream'

const LINE_END = 0x0a
/** Long enough for the name of a table; lines with a row may have megabytes. */
const HEAD_BYTES = 1_024
/** Such as `COPY public.entries (tenant_id, id) FROM stdin;` */
const COPY = /^COPY (?:public\.)?(\S+) /

/**
 * Counts the rows of each table in a dump, read as the SQL that pg_restore makes of it. Reading all of it also finds
 * whatever of the dump cannot be read.
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
      const found = chunk.indexOf(LINE_END, from)
      const end = found < 0 ? chunk.length : found
      const room = HEAD_BYTES - head.length
      if (room > 0) head = Buffer.concat([head, chunk.subarray(from, Math.min(end, from + room))])
      if (found >= 0) endLine()
      from = end + 1
    }
  }
  return counts
}

/** The line after the last row of a table. */
const END = Buffer.from('\\.')
