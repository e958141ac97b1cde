import type { createProvider } from './provider.ts'

type Warn = (...words: readonly unknown[]) => void

/**
 * Loads the OAuth server. It complains on the console, outside our log, of every Node that has no name as a release
 * with long-term support yet; the tests say whether ours will do.
 */
export async function loadProvider(): Promise<{ readonly createProvider: typeof createProvider }> {
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
