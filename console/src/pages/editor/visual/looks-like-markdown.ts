const SIGNS: readonly RegExp[] = [
  /^```/gm,
  /^#{1,6} \S/gm,
  /^\s*[-*] \[[ x]\] /gm,
  /^\s*[-*+] \S.*\n\s*[-*+] \S/gm,
  /^\s*\d+\. \S.*\n\s*\d+\. \S/gm,
  /^\|?\s*:?-{3,}:?\s*\|/gm,
  /\[[^\]\n]+\]\([^)\s]+\)/g,
  /\*\*[^*\n]+\*\*/g,
  /^> \S/gm,
]

/** Characters of a text for which one sign is enough; a long text with one star in it is no Markdown. */
const CHARACTERS_PER_SIGN = 600

/** Tells whether a pasted plain text was written as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  const signCount = SIGNS.reduce((sum, sign) => sum + (text.match(sign)?.length ?? 0), 0)
  return signCount >= Math.max(1, Math.floor(text.length / CHARACTERS_PER_SIGN))
}
