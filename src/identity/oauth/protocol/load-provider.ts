import type { createProvider } from './provider.ts'

type Warn = (...words: readonly unknown[]) => void
type ProviderLoad = Promise<{ readonly createProvider: typeof createProvider }>

/** The one load of the process: two at once would leave a filter on console.warn behind. */
let loading: ProviderLoad | null = null

/** Loads the OAuth server once; a failed load is tried again at the next call. */
export function loadProvider(): ProviderLoad {
  loading ??= loadQuietly().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

/**
 * Loads the OAuth server without one warning. oidc-provider warns on the console, outside the log, about every Node
 * without long-term support; the tests of this service show that its Node works.
 */
async function loadQuietly(): ProviderLoad {
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
