/** A person as the OAuth server knows them: user ids are unique within their tenant. */
export interface Account {
  readonly tenantId: string
  readonly userId: string
}

/** The subject of tokens; neither part can have a slash. */
export function accountIdOf({ tenantId, userId }: Account): string {
  return `${tenantId}/${userId}`
}

/** @returns null for what `accountIdOf` did not write */
export function parseAccountId(id: string): Account | null {
  const parts = id.split('/')
  return parts.length === 2 ? { tenantId: parts[0], userId: parts[1] } : null
}
