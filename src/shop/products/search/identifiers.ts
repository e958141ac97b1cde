const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu

/**
 * The form in which SKU, GTIN and external_id are compared: without case, spaces and punctuation, which people leave
 * out. An identifier of punctuation alone keeps it.
 */
export function normalIdentifier(text: string): string {
  const lower = text.toLowerCase()
  return lower.replace(SEPARATORS, '') || lower.trim()
}
