import type { Queries } from '../../../platform/database/database.ts'
import type { OAuthRecordRow } from '../../../platform/database/tables.ts'
import type { Realm } from '../../tenants/realm.ts'
import * as store from '../store.ts'

// A refresh token is replaced at each use. For a client that never got the answer it may answer again for a while, and
// then has several replacements. Only one of these branches goes on: the first whose refresh token is used ends the
// others (RFC 9700, section 4.14.2).

/** What a token of an ended branch was used at, in milliseconds since 1970: no grace covers that. */
const ENDED_AT = 1_000
/** How many replacements one refresh token may have: a client that never gets its answer does not need more. */
const REPLACEMENTS_MAX = 10

type RefreshRow = Pick<OAuthRecordRow, 'tenant_id' | 'hash' | 'consumed_at'>

/** A refresh token that is being replaced. */
export interface Renewal {
  readonly replaced: string
  /** The one that takes its place, once that is known. */
  readonly replacement: string | undefined
}

/** Whether a refresh token that was used answers again: nothing shows yet that its client had the answer. */
export async function answersAgain(db: Queries, row: RefreshRow, graceMs: number): Promise<boolean> {
  const { tenant_id: tenantId, hash, consumed_at: usedAt } = row
  if (usedAt === null || Date.now() - usedAt >= graceMs) return false
  return !(await store.listReplacements(db, tenantId, hash)).some(wasUsed)
}

/**
 * Uses a refresh token; the first use ends the branches beside its own.
 * @returns false where it may be used no more, and whoever sends it should not have it
 */
export async function useRefreshToken(tx: Queries, realm: Realm, hash: string, graceMs: number): Promise<boolean> {
  const find = () => store.findRecord(tx, realm, 'RefreshToken', 'hash', hash)
  const found = await find()
  // All that is done with the tokens of one grant happens in turn, in whichever process.
  if (found === null || !(await store.lockGrant(tx, found.tenant_id, found.grant_id ?? ''))) return false
  const row = await find()
  if (row === null) return false
  if (row.consumed_at !== null) return answersAgain(tx, row, graceMs)
  await store.consumeRecord(tx, realm, 'RefreshToken', hash, Date.now())
  await store.endReplacements(tx, row, ENDED_AT)
  return true
}

/**
 * Why a token that a refresh token was just replaced by must not be issued, null when it may; to be asked while the
 * grant is locked. Between the use of the old token and this moment another branch may have gone on.
 */
export async function branchFault(
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
  if (others.some(wasUsed)) return 'what replaced the refresh token was used'
  return others.length < REPLACEMENTS_MAX ? null : 'the refresh token was used too often'
}

const wasUsed = ({ consumed_at: at }: Pick<OAuthRecordRow, 'consumed_at'>): boolean => at !== null && at !== ENDED_AT
