import type { Database } from '../../platform/database/database.ts'
import * as erasures from './erasures-store.ts'
import type { KnownReplica, ListedReplica } from './listed-replica.ts'
import * as store from './replica-store.ts'
import type { ReplicaKey } from './tables-store.ts'

/** Returns all replicas of all tenants; none where the database can have none. */
export function everyReplica(database: Database): Promise<readonly ListedReplica[]> {
  return store.listReplicas(database)
}

/** Returns the replicas that can be searched, of all tenants. */
export async function readyReplicas(database: Database): Promise<readonly ListedReplica[]> {
  return (await store.listReplicas(database)).filter(({ isReady }) => isReady)
}

/** Notes that the replicas of these indexes are being searched, so that no process takes them for idle. */
export function noteSearched(
  database: Database,
  indexes: readonly Pick<ReplicaKey, 'tenantId' | 'index'>[],
): Promise<void> {
  return store.noteSearched(database, indexes)
}

/**
 * Drops a replica that its tenant no longer needs; the next search of the tenant's engine builds it again. One that is
 * being changed stays.
 */
export function dropReplica(database: Database, replica: ReplicaKey): Promise<void> {
  return store.dropReplica(database, replica)
}

/** Drops a replica unless another process has built it anew since it was read. */
export function dropUnlessRebuilt(database: Database, replica: KnownReplica): Promise<void> {
  return store.dropReplicaWithMark(database, replica, replica.mark)
}

/** Returns all replicas of all tenants, whole or not, with the erasures that each knows. */
export function replicasWithErasures(database: Database): Promise<readonly KnownReplica[]> {
  return erasures.listKnownReplicas(database)
}

/**
 * Notes that a replica knows erasures, unless it was built anew meanwhile.
 * @param state of the erasures; the number of the last change that was read after them is `reached`
 */
export function noteErasures(
  database: Database,
  replica: KnownReplica,
  state: { readonly erasures: string | null; readonly reached: number },
): Promise<void> {
  return erasures.noteErasures(database, replica, state)
}
