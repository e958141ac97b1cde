import type { TenantContext } from '../../platform/access/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Fault, quotaExceeded } from '../../platform/faults.ts'
import { parseQuotas, QUOTAS } from './quotas.ts'
import * as store from './store.ts'

/** What a transaction knows of a tenant's room, and what it took of it. */
interface Known {
  /** Never fewer than there are. */
  entries: number
  isCounted: boolean
  /** Never fewer than there are. */
  bytes: number
}

const ofTransaction = new WeakMap<Tx, Known>()

/**
 * Takes room for a new entry. Call it last before the entry is stored, with the tenant's write lock held.
 * @throws Fault quota_exceeded
 */
export async function takeEntry(tx: Tx, { id, quotas }: TenantContext): Promise<void> {
  const most = quotas?.entries ?? null
  if (most === null) return
  const known = await knownOf(tx, id)
  if (known.isCounted) {
    if (known.entries >= most) throw full(most)
    known.entries++
    return
  }
  // Each entry that was written since the last count has a number of its own, this one too.
  if (known.entries <= most) return
  known.entries = await store.countEntries(tx, id, most)
  known.isCounted = true
  return takeEntry(tx, { id, quotas } as TenantContext)
}

/**
 * Takes room for text that is about to be stored, with the tenant's write lock held.
 * @param bytes lets a tenant without this quota pay nothing
 * @throws Fault quota_exceeded
 */
export async function takeBytes(tx: Tx, { id, quotas }: TenantContext, bytes: () => number): Promise<void> {
  const most = quotas?.bytes ?? null
  if (most === null) return
  const more = bytes()
  const fault = await lackOf(tx, id, most, more)
  if (fault !== null) throw fault
  await store.addGrown(tx, id, more)
}

/** Room for the texts of a batch, of which some may fit and others not. */
export interface BatchRoom {
  /** The fault of a text that has no room; null when it was taken. */
  take(bytes: number): Fault | null
  /** Notes what was taken, in the batch's transaction. */
  store(tx: Tx): Promise<void>
}

/** @returns null where the tenant's bytes are not bounded */
export async function roomForBatch(tx: Tx, { id, quotas }: TenantContext): Promise<BatchRoom | null> {
  const most = quotas?.bytes ?? null
  if (most === null) return null
  const known = await knownOf(tx, id)
  let taken = 0
  return {
    take: (bytes) => {
      if (known.bytes + bytes > most) return fullOfText(most)
      known.bytes += bytes
      taken += bytes
      return null
    },
    store: async (later) => {
      if (taken > 0) await store.addGrown(later, id, taken)
    },
  }
}

async function lackOf(tx: Tx, tenantId: string, most: number, bytes: number): Promise<Fault | null> {
  const known = await knownOf(tx, tenantId)
  if (known.bytes + bytes > most) return fullOfText(most)
  known.bytes += bytes
  return null
}

async function knownOf(tx: Tx, tenantId: string): Promise<Known> {
  let known = ofTransaction.get(tx)
  if (known === undefined) {
    const use = (await store.findUse(tx, tenantId))!
    known = { entries: entriesAtMost(use), isCounted: false, bytes: bytesAtMost(use) }
    ofTransaction.set(tx, known)
  }
  return known
}

/** Entries that there are at most: those of the last count, and one for each change since. */
function entriesAtMost({ entries, watermark, counted_watermark: counted }: store.KnownUse): number {
  return (entries ?? 0) + watermark - (counted ?? 0)
}

/** Bytes that there are at most: those of the last count, and what was written since. */
export function bytesAtMost({ bytes, grown_bytes: grown }: Pick<store.KnownUse, 'bytes' | 'grown_bytes'>): number {
  return (bytes ?? 0) + grown
}

/** Whether a tenant has so much of its bytes that it is worth counting again soon. */
export function isNearlyFull(quotas: string | null, use: Pick<store.KnownUse, 'bytes' | 'grown_bytes'>): boolean {
  const most = parseQuotas(quotas)?.bytes ?? null
  return most !== null && bytesAtMost(use) > 0.9 * most
}

function full(most: number): Fault {
  return quotaExceeded(QUOTAS.entries.field, `The tenant may have ${most} entries, and has them`, null)
}

function fullOfText(most: number): Fault {
  return quotaExceeded(QUOTAS.bytes.field, `The tenant may have ${most} bytes of text; this does not fit`, null)
}
