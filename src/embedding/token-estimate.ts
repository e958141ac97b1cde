/** Average characters of a token in English and German texts, for where neither provider nor model counts tokens. */
const CHARACTERS_PER_TOKEN = 4

/** Returns an estimate of the number of tokens in texts. */
export function estimatedTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN)
}
