/** Most further barcodes of a product. */
export const GTINS_MAX = 1_000

/** GTIN-8, UPC-A (12 digits, 11 without its leading zero), EAN-13, GTIN-14. */
const GTIN = /^\d{8,14}$/

/**
 * The 14 digits that a GTIN is compared by: shorter ones stand for the same number with leading zeros (GS1 General
 * Specifications, "GTIN in a 14-digit data field"). Spaces and hyphens do not count.
 * @returns null for a text that is no GTIN
 */
export function gtin14(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '')
  return GTIN.test(digits) ? digits.padStart(14, '0') : null
}
