/** An SKU, GTIN or external_id as it is compared: case, spaces and hyphens say nothing, and people leave them out. */
export function normalIdentifier(text: string): string {
  return text.toLowerCase().replace(/[\s\-\u2010-\u2015]+/g, '')
}
