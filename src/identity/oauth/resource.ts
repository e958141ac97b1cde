import type { Realm } from '../tenants/realm.ts'

/** Returns the resources that tokens can be for (RFC 8707): the MCP endpoint, or the whole service. */
export function resourcesOf({ issuer }: Realm): readonly string[] {
  return [`${issuer}/mcp`, issuer]
}

/** Returns the resource that an indicator names, with or without a slash at its end; null when the realm has none. */
export function resourceNamed(realm: Realm, indicator: string): string | null {
  const plain = indicator.replace(/\/$/, '')
  return resourcesOf(realm).find((resource) => sameAddress(resource, plain)) ?? null
}

/** Tells whether two addresses differ in the spelling of scheme and host alone (RFC 3986, section 6.2.2.1). */
function sameAddress(one: string, other: string): boolean {
  return one === other || (URL.canParse(other) && new URL(one).href === new URL(other).href && !/[?#]/.test(other))
}
