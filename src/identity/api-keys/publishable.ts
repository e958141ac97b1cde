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
/** `http://a`. */
export const ORIGIN_LENGTH_MIN = 8
export const ORIGIN_LENGTH_MAX = 300

/** What a publishable key is bound to, as its row keeps it. */
export interface PublishableBinding {
  /** Ids of sites; null for all of the tenant. */
  readonly sites: readonly string[] | null
  readonly sections: readonly KeySection[]
  readonly origins: readonly string[]
}

/** The binding in a key's row. */
export function readPublishable(json: string): PublishableBinding {
  return JSON.parse(json) as PublishableBinding
}

/** The part of a binding that no scope expresses. */
export function boundsOf({ sites, origins }: PublishableBinding): Publishable {
  return { siteIds: sites, origins }
}

/** The scopes of a publishable key. Without a ceiling among them it sees what is public. */
export function scopesOfSections(sections: readonly KeySection[]): readonly Scope[] {
  return [...new Set(sections.map((section) => SECTION_SCOPES[section])), CLICK_SCOPE]
}

/** Names of hosts and addresses in brackets; what else URLs allow is in no certificate. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/

/**
 * An origin as browsers write it: scheme, host and a port that is not the usual one.
 * @returns null for anything that is not the address of a web server, or names more than it, such as a path
 */
export function pageOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, username, password, pathname, search, hash, origin } = new URL(text)
  const isWeb = protocol === 'https:' || protocol === 'http:'
  const isWhole = pathname === '/' && [username, password, search, hash].every((part) => part === '')
  return isWeb && isWhole && HOST.test(hostname) ? origin : null
}
