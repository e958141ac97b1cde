import type { ApiKey } from '../../api/api-keys.ts'

/** Counts the unrevoked keys that were issued with this key, directly or through other keys. */
export function unrevokedIssue(keys: readonly ApiKey[], id: string): number {
  const issued = keys.filter(({ issuer }) => issuer.kind === 'key' && issuer.id === id)
  return issued.reduce((sum, key) => sum + (key.revoked_at === null ? 1 : 0) + unrevokedIssue(keys, key.id), 0)
}
