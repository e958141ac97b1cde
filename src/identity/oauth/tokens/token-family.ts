import type { Queries } from '../../../platform/database/database.ts'
import type { OAuthRecordRow } from '../../../platform/database/tables.ts'
import type { Realm } from '../../tenants/realm.ts'
import * as store from '../store.ts'

// All refresh tokens that follow from one grant are a token family. Each use of a refresh token replaces it. A client
// that lost the answer may use the old token again for a while, which then has several replacements. The first
// replacement that is used ends the others (RFC 9700, section 4.14.2).

/** Time of use that marks a replacement as ended, in milliseconds since 1970: too long ago for any grace. */
const ENDED_AT = 1_000
/** Most replacements of one refresh token: a client that loses the answer again and again does not need more. */
const REPLACEMENTS_MAX = 10

type RefreshRow = Pick<OAuthRecordRow, 'tenant_id' | 'hash' | 'consumed_at'>

/** Replacement of a refresh token in the current request. */
export interface Renewal {
  /** The refresh token that the client sent. */
  readonly replaced: string
  /** The refresh token that takes its place; undefined until the server has made it. */
  readonly replacement: string | undefined
}

/** Tells whether a used refresh token may be used again: within the grace, and only while no replacement was used. */
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
  const before = await find()
  // The lock orders all uses of one token family, across processes.
  if (before === null || !(await store.lockGrant(tx, before.tenant_id, before.grant_id ?? ''))) return false
  const row = await find()
  if (row === null) return false
  if (row.consumed_at !== null) return answersAgain(tx, row, graceMs)
  await store.consumeRecord(tx, realm, 'RefreshToken', hash, Date.now())
  await store.endOtherReplacements(tx, row, ENDED_AT)
  return true
}

/**
 * Returns why a token that comes from a refresh token must not be issued; null when it may. Call this while the grant
 * is locked: another replacement of the old token may have been used since the old token was.
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
