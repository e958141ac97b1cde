const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu

/**
 * An SKU, GTIN or external_id as it is compared: case, spaces and signs say nothing, and people leave them out. One
 * that has nothing but signs is compared by them.
 */
export function normalIdentifier(text: string): string {
  const lower = text.toLowerCase()
  return lower.replace(SEPARATORS, '') || lower.trim()
}
