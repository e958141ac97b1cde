import type { Realm } from '../tenants/realm.ts'

/** The resources tokens are for (RFC 8707): the MCP endpoint, or the whole service. Both are this one server. */
export function resourcesOf({ issuer }: Realm): readonly string[] {
  return [`${issuer}/mcp`, issuer]
}

/** The resource that an indicator names, whether it ends in a slash or not; null when it is none of this realm's. */
export function resourceNamed(realm: Realm, indicator: string): string | null {
  const plain = indicator.replace(/\/$/, '')
  return resourcesOf(realm).find((resource) => sameAddress(resource, plain)) ?? null
}

/** Addresses that differ only in how scheme and host are written are the same (RFC 3986, section 6.2.2.1). */
function sameAddress(one: string, other: string): boolean {
  return one === other || (URL.canParse(other) && new URL(one).href === new URL(other).href && !/[?#]/.test(other))
}
