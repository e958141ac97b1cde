/** Most further barcodes of a product. */
export const GTINS_MAX = 1_000

/** Digits of a GTIN-8, UPC-A (12, or 11 without its leading zero), EAN-13 or GTIN-14. */
const GTIN = /^\d{8,14}$/

/**
 * Returns the 14 digits by which a GTIN is compared: a shorter one is the same number with leading zeros (GS1 General
 * Specifications, "GTIN in a 14-digit data field"). Spaces and hyphens do not count.
 * @returns null for a text that is no GTIN
 */
export function gtin14(text: string): string | null {
  const digits = text.replace(/[\s-]/g, '')
  return GTIN.test(digits) ? digits.padStart(14, '0') : null
}
