import { gtin14, GTINS_MAX } from '../../../shop/products/gtin.ts'

/** Characters that the API allows in a barcode. They are UTF-16 units, since a barcode has none outside of the BMP. */
const BARCODE_LENGTH_MAX = 50

/**
 * Adds the barcodes of a column to a product, each number once: the first becomes `gtin`, the others `gtins`.
 * @param value a barcode, a list of them, or a text that lists them
 * @returns whether the product now has all barcodes of the column
 */
export function addBarcodes(product: Record<string, unknown>, value: unknown): boolean {
  const all = [product.gtin, ...((product.gtins as string[] | undefined) ?? [])].filter(
    (code) => typeof code === 'string',
  )
  const numbers = new Set(all.map(numberOf))
  const codes = barcodesOf(value)
  let isWhole = codes.length > 0 || (Array.isArray(value) && value.length === 0)
  for (const code of codes) {
    if (numbers.has(numberOf(code))) continue
    if (code.length > BARCODE_LENGTH_MAX || all.length > GTINS_MAX) isWhole = false
    else {
      all.push(code)
      numbers.add(numberOf(code))
    }
  }
  const [first, ...others] = all
  if (first !== undefined) product.gtin = first
  if (others.length > 0) product.gtins = others
  return isWhole
}

function numberOf(code: string): string {
  return gtin14(code) ?? code
}

function barcodesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(barcodesOf)
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'string') return []
  const codes = value.trim().startsWith('[') ? value.replace(/["'[\]]/g, '').split(',') : value.split(/[,;|/\n]/)
  return codes.flatMap(bySpaces).filter((code) => code !== '')
}

/** Splits barcodes at spaces, but only if each word is a barcode: some shops write "4 006381 333931". */
function bySpaces(text: string): string[] {
  const words = text.trim().split(/\s+/)
  return words.every((word) => gtin14(word) !== null) ? words : [text.trim()]
}
