/** Characters of a token where neither provider nor model counts tokens: what English and German texts have on average. */
const CHARACTERS_PER_TOKEN = 4

/** About how many tokens some texts have. */
export function estimatedTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN)
}
