import { isNearlyFull } from '../../identity/quotas/room.ts'
import type { Database } from '../../platform/database/database.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import * as store from './usage-store.ts'

/** What tenants have is counted again after this time, if they changed anything. */
export const COUNTED_AGAIN_MS = 10 * 60_000
/** Sooner, if they have nearly all the bytes that they may have: what they deleted makes room. */
const SOON_MS = 20_000

/**
 * Counts what each tenant has, unless that was done lately. A tenant that has not changed since keeps its figures; only
 * its users and keys are counted again.
 * @param now milliseconds since 1970
 */
export async function countDueUsage(
  database: Database,
  { now, signal }: { readonly now: number; readonly signal?: AbortSignal },
): Promise<void> {
  for (const each of await store.uncounted(database.queries, now - COUNTED_AGAIN_MS)) {
    if (signal?.aborted) return
    if (!isDue(each, now)) continue
    const { tenantId, watermark, known, grownBytes } = each
    const content = known?.watermark === watermark ? known : await contentOf(database, tenantId)
    const access = await store.countAccess(database.queries, tenantId, now)
    const row = { ...content, ...access, tenant_id: tenantId, counted_at: now, watermark }
    await database.write((tx) => store.putUsage(tx, row, grownBytes), tenantId)
  }
}

function isDue({ known, watermark, quotas, grownBytes }: store.Uncounted, now: number): boolean {
  if (known === null || known.counted_at < now - COUNTED_AGAIN_MS) return true
  if (known.watermark === watermark || known.counted_at >= now - SOON_MS) return false
  return isNearlyFull(quotas, { bytes: known.bytes, grown_bytes: grownBytes })
}

async function contentOf(database: Database, tenantId: string) {
  const entries = await total(database, store.ENTRIES, tenantId)
  const products = await total(database, store.PRODUCTS, tenantId)
  const passages = await total(database, store.PASSAGES, tenantId)
  let bytes = entries.bytes + products.bytes
  for (const kept of store.KEPT) bytes += (await total(database, kept, tenantId)).bytes
  return { entries: entries.rows, products: products.rows, passages: passages.bytes, bytes }
}

/** Walks a table in short statements, and gives other work its turns in between. */
async function total(
  { queries }: Database,
  counted: Parameters<typeof store.countSome>[1],
  tenantId: string,
): Promise<{ rows: number; bytes: number }> {
  const sum = { rows: 0, bytes: 0 }
  let place: readonly (string | number)[] | null = null
  do {
    const step = await store.countSome(queries, counted, tenantId, place)
    sum.rows += step.rows
    sum.bytes += step.bytes
    place = step.last
    await threadSlices.pause(tenantId)
  } while (place !== null)
  return sum
}
