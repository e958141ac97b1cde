import { gtin14 } from '../gtin.ts'

const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu

/**
 * Returns the form in which SKU and external_id are compared: without case, spaces and punctuation, which people leave
 * out. An identifier of punctuation alone keeps its punctuation.
 */
export function normalIdentifier(text: string): string {
  const lower = text.toLowerCase()
  return lower.replace(SEPARATORS, '') || lower.trim()
}

/** Returns the form in which a barcode is compared: 14 digits, so that leading zeros do not matter. */
export function normalGtin(text: string): string {
  return gtin14(text) ?? normalIdentifier(text)
}

/** Returns the forms in which products may have an identifier; none for an empty text. */
export function identifierForms(identifier: string): string[] {
  return [...new Set([normalIdentifier(identifier), normalGtin(identifier)])].filter((form) => form !== '')
}
