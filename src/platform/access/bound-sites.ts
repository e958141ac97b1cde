import type { Caller } from './caller.ts'

/** Whether the caller may search the site. Only publishable keys are bound to sites. */
export function maySearchSite({ publishable }: Pick<Caller, 'publishable'>, siteId: string | null): boolean {
  const siteIds = publishable?.siteIds ?? null
  return siteIds === null || siteId === null || siteIds.includes(siteId)
}
