import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What Node has to be given to run the program. */
export const MAIN = join(import.meta.dirname, '../../src/main.ts')

/**
 * What every process of the program is given beside its settings, which nothing of the tests' own surroundings may
 * change. Compiled modules are kept as they are for users (scripts/runtime.mjs): a start costs half of one without.
 */
export const SURROUNDINGS: Readonly<Record<string, string | undefined>> = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'knowledge-test-compile-cache'),
}
