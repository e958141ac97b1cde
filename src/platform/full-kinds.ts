/**
 * Kinds of fault that are 507, each with what it means. The API reference takes its words from here, and
 * `docs/operations/fix.md`, which says what the operator does, links to them.
 */
export const FULL_KINDS = {
  storage_full: 'the disk is full; nothing was changed, and reads go on',
  quota_exceeded: 'the tenant has as much as its quota allows; nothing was changed',
  search_capacity: 'not even an empty search index fits into the memory of the tenant; see Retry-After',
} as const

/** What administrators of a tenant can do where its search memory is full. */
export const SEARCH_ROOM_REMEDY =
  'shorten or delete entries or products, or ask the operator to raise SEARCH_MEMORY_PER_TENANT_MB or SEARCH_MEMORY_MB'
