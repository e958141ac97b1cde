import type { Readable } from 'node:stream'
import { partsOf } from '../../platform/database/dump-script.ts'

const LINE_END = 0x0a
/** A statement such as `COPY public.entries (tenant_id, id) FROM stdin;` */
const COPY = /^COPY (?:public\.)?(\S+) /

/**
 * Counts the rows of each table in a dump. It reads the whole SQL that pg_restore makes of the dump, so that pg_restore
 * meets every part that cannot be read.
 * @param dump output of pg_restore
 */
export async function countDumpedRows(dump: Readable): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for await (const part of partsOf(dump)) {
    if ('statements' in part) continue
    let rows = 0
    for await (const chunk of part.rows) rows += lineEndsIn(chunk)
    const table = COPY.exec(part.copy)?.[1].replaceAll('"', '')
    if (table !== undefined) counts[table] = rows
  }
  return counts
}

function lineEndsIn(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1)) count++
  return count
}
