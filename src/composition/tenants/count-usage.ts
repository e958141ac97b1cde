import { isNearlyFull } from '../../identity/quotas/room.ts'
import type { Database } from '../../platform/database/database.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import * as store from './usage-store.ts'

/** Age of a count at which a tenant that has changed is counted again. */
export const COUNTED_AGAIN_MS = 10 * 60_000
/** The same for a tenant that has nearly all its bytes, which may have made room by deletions. */
const SOON_MS = 20_000

/**
 * Counts what each tenant has, unless that was done lately. A tenant that has not changed since the last count keeps
 * its figures; only its users and keys are counted again.
 * @param now milliseconds since 1970
 */
export async function countDueUsage(
  database: Database,
  { now, signal }: { readonly now: number; readonly signal?: AbortSignal },
): Promise<void> {
  for (const each of await store.tenantsToCount(database.queries, now - COUNTED_AGAIN_MS)) {
    if (signal?.aborted) return
    if (!isDue(each, now)) continue
    const { tenantId, watermark, last, grownBytes } = each
    const content = last?.watermark === watermark ? last : await contentOf(database, tenantId)
    const access = await store.countAccess(database.queries, tenantId, now)
    const row = { ...content, ...access, tenant_id: tenantId, counted_at: now, watermark }
    await database.write((tx) => store.putUsage(tx, row, grownBytes), tenantId)
  }
}

function isDue({ last, watermark, quotas, grownBytes }: store.TenantToCount, now: number): boolean {
  if (last === null || last.counted_at < now - COUNTED_AGAIN_MS) return true
  if (last.watermark === watermark || last.counted_at >= now - SOON_MS) return false
  return isNearlyFull(quotas, { bytes: last.bytes, grown_bytes: grownBytes })
}

async function contentOf(database: Database, tenantId: string) {
  const entries = await total(database, store.ENTRIES, tenantId)
  const products = await total(database, store.PRODUCTS, tenantId)
  const passages = await total(database, store.PASSAGES, tenantId)
  let bytes = entries.bytes + products.bytes
  for (const texts of store.OTHER_TEXTS) bytes += (await total(database, texts, tenantId)).bytes
  return { entries: entries.rows, products: products.rows, passages: passages.bytes, bytes }
}

/** Counts the rows of a tenant in a table by short statements, with turns for other work in between. */
async function total(
  { queries }: Database,
  table: Parameters<typeof store.countSome>[1],
  tenantId: string,
): Promise<{ rows: number; bytes: number }> {
  const sum = { rows: 0, bytes: 0 }
  let place: readonly (string | number)[] | null = null
  do {
    const step = await store.countSome(queries, table, tenantId, place)
    sum.rows += step.rows
    sum.bytes += step.bytes
    place = step.last
    await threadSlices.pause(tenantId)
  } while (place !== null)
  return sum
}
