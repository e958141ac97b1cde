/** Returns a setting of a site. @param text 'true', 'false', or null where the setting of the tenant decides */
export function flagOf(text: string | null | undefined, ofTenant: boolean): boolean {
  return text === null || text === undefined ? ofTenant : text === 'true'
}
