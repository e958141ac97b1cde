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

/** One sign in this many characters is enough; a long text with one star in it is no Markdown. */
const CHARACTERS_PER_SIGN = 600

/** Whether a pasted plain text was written as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  const found = SIGNS.reduce((sum, sign) => sum + (text.match(sign)?.length ?? 0), 0)
  return found >= Math.max(1, Math.floor(text.length / CHARACTERS_PER_SIGN))
}
