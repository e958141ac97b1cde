/**
 * Makes a name that a stranger chose safe for sentences by which people decide: removes characters that reverse the
 * text direction, break the line or are invisible.
 * @param fallback text for a name with nothing left
 */
export function plainName(name: string, fallback: string): string {
  const plain = name
    .replaceAll(/[\p{Zl}\p{Zp}\p{Cc}\p{Zs}]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu, '')
    .trim()
  return plain === '' ? fallback : plain
}
