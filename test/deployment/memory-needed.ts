import { containerMb } from '../../bench/support/memory-limit.ts'
import { SEARCH } from '../../src/config/topics/search.ts'

/** Megabytes that a container needs with the default budget. */
export const MEMORY_NEEDED_MB = containerMb(Number(SEARCH.settings.searchMemoryMb.default))
