/**
 * Keeps the documents of a replica whose values were read and whose text is still to be read and analysed. They lie
 * beside the replica, so that any process may read the texts, and a text that one process has read before a change
 * never replaces what another process has stored after it.
 */
import { sql } from 'kysely'
import type { Queries, Tx } from '../../platform/database/database.ts'
import type { ValueReplacement } from '../engine.ts'
import { UNKNOWN_TEXT_BYTES } from '../indexing/change-batches.ts'
import type { ReplicaTables } from './tables-store.ts'

/** Most documents that are counted. */
const COUNTED_MAX = 10_000

/** A document whose text is awaited. */
export interface AwaitedText {
  readonly id: string
  /** Number of the last change with which the document was seen to lack its text. */
  readonly seq: number
  /** Stored bytes of the text. */
  readonly bytes: number
}

/**
 * Notes documents that lack their text. One that waits already keeps its place.
 * @param since number of the first change whose text the replica may lack
 */
export async function noteAwaited(
  tx: Tx,
  { awaited }: ReplicaTables,
  changes: readonly ValueReplacement[],
  since: number,
): Promise<void> {
  if (changes.length === 0) return
  const list = <T>(of: (change: ValueReplacement) => T) => changes.map(of)
  await sql`
    insert into ${awaited} as a (id, since, seq, text_seq, bytes)
    select id, ${since}::bigint, seq, text_seq, bytes
    from unnest(${list(({ id }) => id)}::text[], ${list(({ seq }) => seq)}::bigint[],
      ${list(({ textSeq }) => textSeq)}::bigint[], ${list(({ textBytes }) => textBytes)}::bigint[])
      as noted (id, seq, text_seq, bytes)
    on conflict (id) do update
      set seq = excluded.seq, text_seq = excluded.text_seq, bytes = coalesce(excluded.bytes, a.bytes), is_gone = false
    where a.seq <= excluded.seq`.execute(tx)
}

/** A document that needs no text of a change any more: the replica has it, or the document is gone. */
export interface SettledText {
  readonly id: string
  /** Number of that change. */
  readonly textSeq: number
}

/** Notes that texts are no longer awaited. @returns how many documents that concerns */
export async function settleAwaited(
  tx: Tx,
  { awaited }: ReplicaTables,
  texts: readonly SettledText[],
): Promise<number> {
  if (texts.length === 0) return 0
  const { numAffectedRows } = await sql`
    delete from ${awaited} as a
    using unnest(${texts.map(({ id }) => id)}::text[], ${texts.map(({ textSeq }) => textSeq)}::bigint[])
      as settled (id, text_seq)
    where a.id = settled.id and a.text_seq <= settled.text_seq`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Keeps the ids of removed documents until the pass over values ends. Another process may have listed such a document
 * before its removal, and must not note it as awaited.
 * @param since number of the first change of the pass
 */
export async function noteGone(
  tx: Tx,
  { awaited }: ReplicaTables,
  removals: readonly SettledText[],
  since: number,
): Promise<void> {
  if (removals.length === 0) return
  await sql`
    insert into ${awaited} as a (id, since, seq, text_seq, is_gone)
    select id, ${since}::bigint, seq, seq, true
    from unnest(${removals.map(({ id }) => id)}::text[], ${removals.map(({ textSeq }) => textSeq)}::bigint[])
      as gone (id, seq)
    on conflict (id) do update set seq = excluded.seq, text_seq = excluded.seq, is_gone = true
    where a.seq <= excluded.seq`.execute(tx)
}

/** Forgets removals up to a change that the replica has reached: a pass that began earlier can store no more. */
export async function forgetGone(tx: Tx, { awaited }: ReplicaTables, reached: number): Promise<void> {
  await sql`delete from ${awaited} where is_gone and seq <= ${reached}::bigint`.execute(tx)
}

/** Forgets documents that are gone without a trace, unless they were seen again since they were listed. */
export async function forgetUnseen(tx: Tx, { awaited }: ReplicaTables, texts: readonly AwaitedText[]): Promise<void> {
  await sql`
    delete from ${awaited} as a
    using unnest(${texts.map(({ id }) => id)}::text[], ${texts.map(({ seq }) => seq)}::bigint[]) as listed (id, seq)
    where a.id = listed.id and a.seq = listed.seq and not a.is_gone`.execute(tx)
}

/** Returns the documents that have waited longest, at most `limit`. */
export async function firstAwaited(
  queries: Queries,
  { awaited }: ReplicaTables,
  limit: number,
): Promise<AwaitedText[]> {
  const { rows } = await sql<AwaitedText>`
    select id, seq, coalesce(bytes, ${UNKNOWN_TEXT_BYTES}::bigint) as bytes from ${awaited}
    where not is_gone order by since, seq, id limit ${limit}`.execute(queries)
  return rows
}

/** A document whose text is awaited, with the number of the change that last altered the text. */
type AwaitedChange = Pick<AwaitedText, 'seq'> & SettledText

/** Returns by id those of some documents that lack their text. */
export async function awaitedAmong(
  queries: Queries,
  { awaited }: ReplicaTables,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AwaitedChange>> {
  const { rows } = await sql<AwaitedChange>`
    select id, seq, text_seq as "textSeq" from ${awaited}
    where id = any(${ids}::text[]) and not is_gone`.execute(queries)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns how many documents lack their text, at most `COUNTED_MAX`. */
export async function countAwaited(queries: Queries, tables: ReplicaTables): Promise<number> {
  const { rows } = await sql<{ count: number }>`select ${awaitedCount(tables)} as count`.execute(queries)
  return rows[0].count
}

/** Returns an expression of how many documents lack their text, at most `COUNTED_MAX`. */
export function awaitedCount({ awaited }: ReplicaTables) {
  return sql`(select count(*) from (select from ${awaited} where not is_gone limit ${COUNTED_MAX}) as a)`
}
