import type { Publishable } from '../../platform/access/caller.ts'
import type { Scope } from '../../platform/access/scopes.ts'

export const KEY_SECTIONS = ['products', 'knowledge'] as const
export type KeySection = (typeof KEY_SECTIONS)[number]

/** The scope that opens a section. */
export const SECTION_SCOPES: Readonly<Record<KeySection, Scope>> = {
  products: 'products:read',
  knowledge: 'knowledge:read',
}

/** The scope to report clicks with, which every publishable key has. */
export const CLICK_SCOPE: Scope = 'search:log'

export const ORIGINS_MAX = 20
export const KEY_SITES_MAX = 20
/** Characters of the shortest origin, `http://a`. */
export const ORIGIN_LENGTH_MIN = 8
export const ORIGIN_LENGTH_MAX = 300

/** Pages, sections and sites that a publishable key is bound to. Its row stores them as JSON. */
export interface PublishableBinding {
  /** Ids of sites; null for all of the tenant. */
  readonly sites: readonly string[] | null
  readonly sections: readonly KeySection[]
  readonly origins: readonly string[]
}

/** Parses the binding in a key's row. */
export function readPublishable(json: string): PublishableBinding {
  return JSON.parse(json) as PublishableBinding
}

/** Returns the part of a binding that no scope expresses. */
export function boundsOf({ sites, origins }: PublishableBinding): Publishable {
  return { siteIds: sites, origins }
}

/** Returns the scopes of a publishable key. No ceiling is among them, so the key sees only what is public. */
export function scopesOfSections(sections: readonly KeySection[]): readonly Scope[] {
  return [...new Set(sections.map((section) => SECTION_SCOPES[section])), CLICK_SCOPE]
}

/** Host names, and IPv6 addresses in brackets. Other characters that URLs allow are in no certificate. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/

/**
 * Returns an origin as browsers write it: scheme, host and a port that is not the usual one.
 * @returns null for a text that is not the address of a web server, or that names more, such as a path
 */
export function pageOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, username, password, pathname, search, hash, origin } = new URL(text)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  const isWhole = pathname === '/' && [username, password, search, hash].every((part) => part === '')
  return isWeb && isWhole && HOST.test(hostname) ? origin : null
}
