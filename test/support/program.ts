import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The module that Node runs as the program. */
export const MAIN = join(import.meta.dirname, '../../src/main.ts')

/** Value of `EMBEDDING_MODEL` where a test is not about reading: the model that answers at once, in no further thread. */
export const TEST_MODEL = 'static-de-en-v2'

/**
 * Environment of every process of the program besides its settings, independent of the tests' own environment. The
 * cache of compiled modules stays on, as for users (scripts/runtime.mjs): it halves the time of a start. The options of
 * Node load the joined packages (scripts/joined-packages.ts), which save another third.
 */
export const SURROUNDINGS: Readonly<Record<string, string | undefined>> = {
  PATH: process.env.PATH,
  NODE_OPTIONS: process.env.NODE_OPTIONS,
  EMBEDDING_MODEL: TEST_MODEL,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'knowledge-test-compile-cache'),
}

/**
 * Value of `SEARCH_WAIT_SECONDS` in tests. They need the hits of a search, also of an index that a busy machine builds
 * slowly.
 */
export const INDEX_WAIT_SECONDS = '60'

/** Value of `SEARCH_FRESH_WAIT_MS` in tests: on a busy machine, a search waits until it has the latest texts. */
export const FRESH_WAIT_MS = '60000'
