import type { Caller } from './caller.ts'

/**
 * Tells whether the caller may search a site. Only publishable keys are bound to sites.
 * @param siteId null for a search that names no site
 */
export function maySearchSite({ publishable }: Pick<Caller, 'publishable'>, siteId: string | null): boolean {
  const siteIds = publishable?.siteIds ?? null
  return siteIds === null || siteId === null || siteIds.includes(siteId)
}
