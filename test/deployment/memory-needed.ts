import { containerMb } from '../../bench/support/memory-limit.ts'
import { SETTINGS } from '../../src/config.ts'

/** What a container needs with the default budget. */
export const MEMORY_NEEDED_MB = containerMb(Number(SETTINGS.searchMemoryMb.default))
