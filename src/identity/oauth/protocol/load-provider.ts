import type { createProvider } from './provider.ts'

type Warn = (...words: readonly unknown[]) => void
type Loaded = Promise<{ readonly createProvider: typeof createProvider }>

/** Once for the process: two that each put the console back as they found it would leave one's filter there. */
let loading: Loaded | null = null

/** Loads the OAuth server, once; one that could not be loaded is tried again. */
export function loadProvider(): Loaded {
  loading ??= loadQuietly().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

/**
 * It complains on the console, outside our log, of every Node that has no name as a release with long-term support
 * yet; the tests say whether ours will do.
 */
async function loadQuietly(): Loaded {
  const output = globalThis.console as unknown as { warn: Warn }
  const { warn } = output
  output.warn = (...words) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn.apply(output, [...words])
  }
  try {
    return await import('./provider.ts')
  } finally {
    output.warn = warn
  }
}
