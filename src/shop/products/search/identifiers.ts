import { gtin14 } from '../gtin.ts'

const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/gu

/**
 * The form in which SKU and external_id are compared: without case, spaces and punctuation, which people leave out. An
 * identifier of punctuation alone keeps it.
 */
export function normalIdentifier(text: string): string {
  const lower = text.toLowerCase()
  return lower.replace(SEPARATORS, '') || lower.trim()
}

/** The form in which a barcode is compared: its 14 digits, so that leading zeros do not matter. */
export function normalGtin(text: string): string {
  return gtin14(text) ?? normalIdentifier(text)
}

/** The forms in which a product may hold the identifier that somebody asks for; none for an empty text. */
export function identifierForms(asked: string): string[] {
  return [...new Set([normalIdentifier(asked), normalGtin(asked)])].filter((form) => form !== '')
}
