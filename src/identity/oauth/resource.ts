import type { Realm } from '../tenants/realm.ts'

/** The resources that tokens can be for (RFC 8707): the MCP endpoint, or the whole service. */
export function resourcesOf({ issuer }: Realm): readonly string[] {
  return [`${issuer}/mcp`, issuer]
}

/** The resource that an indicator names, with or without a slash at its end; null when it is not of this realm. */
export function resourceNamed(realm: Realm, indicator: string): string | null {
  const plain = indicator.replace(/\/$/, '')
  return resourcesOf(realm).find((resource) => sameAddress(resource, plain)) ?? null
}

/** Addresses are the same if only the spelling of scheme and host differs (RFC 3986, section 6.2.2.1). */
function sameAddress(one: string, other: string): boolean {
  return one === other || (URL.canParse(other) && new URL(one).href === new URL(other).href && !/[?#]/.test(other))
}
