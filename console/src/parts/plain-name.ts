/**
 * A name that a stranger chose, fit to stand in a sentence that people decide by: without the characters that turn the
 * direction of what follows, break its line or cannot be seen.
 * @param fallback what to say when nothing is left
 */
export function plainName(name: string, fallback: string): string {
  const plain = name
    .replaceAll(/[\p{Zl}\p{Zp}\p{Cc}\p{Zs}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '')
    .trim()
  return plain === '' ? fallback : plain
}
