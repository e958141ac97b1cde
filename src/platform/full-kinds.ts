/**
 * Kinds of fault that are 507, each with what it means. The API reference takes its words from here, and
 * `docs/operations/fix.md`, which says what the operator does, links to them.
 */
export const FULL_KINDS = {
  storage_full: 'the disk is full; nothing was changed, and reads go on',
  quota_exceeded: 'the tenant has as much as its quota allows; nothing was changed',
  search_capacity: 'not even an empty search index fits into the memory of the tenant; see Retry-After',
} as const
