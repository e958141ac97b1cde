/** Reads and locks the state of a replica: how far it is, and what it has. */
import { sql } from 'kysely'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { FORMAT, type ReplicaKey, REPLICAS, rowOf } from './tables-store.ts'

/** The state of a replica. */
export interface ReplicaState {
  /** Every change with a number up to here is applied. */
  readonly reached: number
  /** The documents in the replica have the values of every change with a number up to here. */
  readonly valuesReached: number
  /** Number that grows with each document that changes, and is larger in a replica that was built later. */
  readonly changes: number
  /** Whether the replica was built to its end, and has its indexes. */
  readonly isReady: boolean
  /** Dimensions of the passages' vectors; null before the first. */
  readonly dimensions: number | null
  /** Whether vectors of these dimensions still have to be adopted (`adoptVectors`). */
  readonly isAdopting: boolean
  /** Mark of `IndexHistory`, made when changes were stored last; null before the first, and without a history. */
  readonly mark: string | null
}

/** The state of a replica for a process that has locked it. */
export interface LockedState extends ReplicaState {
  /** Number of rows of the table of passages. */
  readonly passages: number
  /** Ids of documents that cannot be read. */
  readonly unreadable: readonly string[]
}

const COLUMNS = sql`
  reached, values_reached as "valuesReached", changes, is_ready as "isReady", dimensions, is_adopting as "isAdopting",
  mark`

/** Returns the state of a replica; null without one, or where it has another format. */
export async function findState(queries: Queries, key: ReplicaKey): Promise<ReplicaState | null> {
  const { rows } = await sql<ReplicaState & { format: number }>`
    select ${COLUMNS}, format from ${REPLICAS} where ${rowOf(key)}`.execute(queries)
  return rows[0]?.format === FORMAT ? rows[0] : null
}

/**
 * Locks the row of a replica.
 * @param isPatient whether to wait for another process that has locked it
 * @returns undefined without a replica, and while another process has locked it unless `isPatient`
 */
export async function lockState(tx: Tx, key: ReplicaKey, isPatient = false): Promise<LockedState | undefined> {
  const { rows } = await sql<LockedState>`
    select ${COLUMNS}, passages, unreadable from ${REPLICAS} where ${rowOf(key)} and format = ${FORMAT}
    for update ${isPatient ? sql`` : sql`skip locked`}`.execute(tx)
  return rows[0]
}
