import type { Queries } from '../../../platform/database/database.ts'
import type { OAuthRecordRow } from '../../../platform/database/tables.ts'
import type { Realm } from '../../tenants/realm.ts'
import * as store from '../store.ts'

// All refresh tokens that follow from one grant are a token family. Each use of a refresh token replaces it. A client
// that lost the answer may use the old token again for a while, which then has several replacements. The first
// replacement that is used ends the others (RFC 9700, section 4.14.2).

/** Marks a replacement as ended: a time of use, in milliseconds since 1970, that is too long ago for any grace. */
const ENDED_AT = 1_000
/** Most replacements of one refresh token: even a client that keeps losing the answer does not need more. */
const REPLACEMENTS_MAX = 10

type RefreshRow = Pick<OAuthRecordRow, 'tenant_id' | 'hash' | 'consumed_at'>

/** A refresh token that is being replaced. */
export interface Renewal {
  readonly replaced: string
  /** The refresh token that takes its place, once it is known. */
  readonly replacement: string | undefined
}

/** Whether a used refresh token may be used again: within the grace, and only while no replacement was used. */
export async function answersAgain(db: Queries, row: RefreshRow, graceMs: number): Promise<boolean> {
  const { tenant_id: tenantId, hash, consumed_at: usedAt } = row
  if (usedAt === null || Date.now() - usedAt >= graceMs) return false
  return !(await store.listReplacements(db, tenantId, hash)).some(wasUsed)
}

/**
 * Uses a refresh token. Its first use ends the other replacements of the token before it.
 * @returns false when the token must not be used again: it may have been stolen
 */
export async function useRefreshToken(tx: Queries, realm: Realm, hash: string, graceMs: number): Promise<boolean> {
  const find = () => store.findRecord(tx, realm, 'RefreshToken', 'hash', hash)
  const found = await find()
  // The lock orders all uses of one token family, across processes.
  if (found === null || !(await store.lockGrant(tx, found.tenant_id, found.grant_id ?? ''))) return false
  const row = await find()
  if (row === null) return false
  if (row.consumed_at !== null) return answersAgain(tx, row, graceMs)
  await store.consumeRecord(tx, realm, 'RefreshToken', hash, Date.now())
  await store.endOtherReplacements(tx, row, ENDED_AT)
  return true
}

/**
 * Why a token that replaces a refresh token must not be issued; null when it may. Call this while the grant is locked:
 * since the old token was used, another replacement of it may have been used too.
 */
export async function replacementFault(
  tx: Queries,
  realm: Realm,
  { kind, tenant_id: tenantId, hash, uid }: Pick<OAuthRecordRow, 'kind' | 'tenant_id' | 'hash' | 'uid'>,
): Promise<string | null> {
  if (uid === null) return null
  if (kind === 'AccessToken') {
    const refreshToken = await store.findRecord(tx, realm, 'RefreshToken', 'hash', uid)
    return refreshToken === null || refreshToken.consumed_at !== null ? 'the refresh token has ended' : null
  }
  const others = (await store.listReplacements(tx, tenantId, uid)).filter((other) => other.hash !== hash)
  if (others.some(wasUsed)) return 'a replacement of the refresh token was used'
  return others.length < REPLACEMENTS_MAX ? null : 'the refresh token was used too often'
}

const wasUsed = ({ consumed_at: at }: Pick<OAuthRecordRow, 'consumed_at'>): boolean => at !== null && at !== ENDED_AT
