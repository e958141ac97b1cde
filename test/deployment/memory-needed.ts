import { SETTINGS } from '../../src/config.ts'

/** What the service may hold while it builds indexes, with the default budget, as docs/operations.md counts it. */
export const MEMORY_NEEDED_MB = 2 * Number(SETTINGS.searchMemoryMb.default) + 400
