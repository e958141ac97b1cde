import type { TenantContext } from '../../platform/access/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Fault, quotaExceeded } from '../../platform/faults.ts'
import { parseQuotas, QUOTAS } from './quotas.ts'
import * as store from './store.ts'

/** Use of a tenant's quotas as a transaction knows it, with what the transaction itself took. */
interface Use {
  /** Entries of the tenant, or more than it has. */
  entries: number
  /** Whether `entries` was counted in this transaction, and so is exact. */
  isCounted: boolean
  /** Bytes of the tenant's texts, or more than it has. */
  bytes: number
}

/** Uses by transaction. A transaction writes for one tenant only. */
const ofTransaction = new WeakMap<Tx, Use>()

/**
 * Takes room for a new entry. Call it last before the entry is stored, with the tenant's write lock held.
 * @throws Fault quota_exceeded
 */
export async function takeEntry(tx: Tx, { id, quotas }: TenantContext): Promise<void> {
  const most = quotas?.entries ?? null
  if (most === null) return
  const use = await useOf(tx, id)
  if (use.isCounted) {
    if (use.entries >= most) throw entriesFull(most)
    use.entries++
    return
  }
  // Each entry written since the last count took a number of the watermark, this one too, so `entries` includes it.
  if (use.entries <= most) return
  use.entries = await store.countEntries(tx, id, most)
  use.isCounted = true
  return takeEntry(tx, { id, quotas } as TenantContext)
}

/**
 * Takes room for text that is about to be stored, with the tenant's write lock held.
 * @param bytes measures the text; not called for a tenant without this quota, which costs such a tenant nothing
 * @throws Fault quota_exceeded
 */
export async function takeBytes(tx: Tx, { id, quotas }: TenantContext, bytes: () => number): Promise<void> {
  const most = quotas?.bytes ?? null
  if (most === null) return
  const more = bytes()
  const fault = await takeWithin(tx, id, most, more)
  if (fault !== null) throw fault
  await store.addGrown(tx, id, more)
}

/** Room for the texts of a batch, some of which may fit while others do not. */
export interface BatchRoom {
  /** Takes room for a text. @returns the fault when there is too little; null when the room was taken */
  take(bytes: number): Fault | null
  /** Stores the bytes that were taken, in the transaction of the batch. */
  store(tx: Tx): Promise<void>
}

/** Returns the room for a batch; null where the tenant's bytes have no bound. */
export async function roomForBatch(tx: Tx, { id, quotas }: TenantContext): Promise<BatchRoom | null> {
  const most = quotas?.bytes ?? null
  if (most === null) return null
  const use = await useOf(tx, id)
  let total = 0
  return {
    take: (bytes) => {
      if (use.bytes + bytes > most) return bytesFull(most)
      use.bytes += bytes
      total += bytes
      return null
    },
    store: async (later) => {
      if (total > 0) await store.addGrown(later, id, total)
    },
  }
}

/** Takes bytes of the transaction's use. @returns the fault when there is too little room */
async function takeWithin(tx: Tx, tenantId: string, most: number, bytes: number): Promise<Fault | null> {
  const use = await useOf(tx, tenantId)
  if (use.bytes + bytes > most) return bytesFull(most)
  use.bytes += bytes
  return null
}

async function useOf(tx: Tx, tenantId: string): Promise<Use> {
  let use = ofTransaction.get(tx)
  if (use === undefined) {
    const row = (await store.findUse(tx, tenantId))!
    use = { entries: entriesAtMost(row), isCounted: false, bytes: bytesAtMost(row) }
    ofTransaction.set(tx, use)
  }
  return use
}

/** Returns the most entries that a tenant can have: those of the last count, and one for each change since. */
function entriesAtMost({ entries, watermark, counted_watermark: counted }: store.TenantUse): number {
  return (entries ?? 0) + watermark - (counted ?? 0)
}

/** Returns the most bytes that a tenant can have: those of the last count, and those written since. */
export function bytesAtMost({ bytes, grown_bytes: grown }: Pick<store.TenantUse, 'bytes' | 'grown_bytes'>): number {
  return (bytes ?? 0) + grown
}

/** Tells whether a tenant uses so much of its quota of bytes that an exact count is due soon. */
export function isNearlyFull(quotas: string | null, use: Pick<store.TenantUse, 'bytes' | 'grown_bytes'>): boolean {
  const most = parseQuotas(quotas)?.bytes ?? null
  return most !== null && bytesAtMost(use) > 0.9 * most
}

function entriesFull(most: number): Fault {
  return quotaExceeded(QUOTAS.entries.field, `The tenant may have ${most} entries, and has them`, null)
}

function bytesFull(most: number): Fault {
  return quotaExceeded(QUOTAS.bytes.field, `The tenant may have ${most} bytes of text; this does not fit`, null)
}
