/** A person as the OAuth server knows them. User ids are unique only within a tenant. */
export interface Account {
  readonly tenantId: string
  readonly userId: string
}

/** Returns the person's id as the subject of tokens. Neither id can contain a slash. */
export function accountIdOf({ tenantId, userId }: Account): string {
  return `${tenantId}/${userId}`
}

/** Reads the subject of a token. @returns null for a text that `accountIdOf` did not write */
export function parseAccountId(id: string): Account | null {
  const parts = id.split('/')
  return parts.length === 2 ? { tenantId: parts[0], userId: parts[1] } : null
}
