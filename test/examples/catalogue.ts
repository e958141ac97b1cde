import assert from 'node:assert/strict'
import type { TestService } from '../support/service.ts'
import { inTier } from '../support/tier.ts'
import { until } from '../support/patience.ts'

const KINDS = [
  'desk lamp',
  'floor lamp',
  'torch',
  'string lights',
  'work light',
  'ceiling light',
  'bike light',
  'lantern',
]
const STYLES = ['cordless', 'dimmable', 'foldable', 'waterproof', 'solar', 'magnetic', 'adjustable', 'wooden', 'steel']
const COLOURS = ['warm white', 'neutral white', 'cold white', 'red', 'amber', 'green', 'black']
const BRANDS = ['Lumen', 'Nordlicht', 'Helios', 'Kerze & Co', 'Brightside']
const SIZES = inTier({ gate: ['L', 'XL'], all: ['mini', 'S', 'M', 'L', 'XL'] })
const YEARS = inTier({ gate: [2026], all: [2023, 2024, 2025, 2026] })
const AVAILABILITIES = ['InStock', 'InStock', 'InStock', 'OutOfStock', 'PreOrder']

/** Number of products in the catalogue, which has every combination. */
export const PRODUCTS = KINDS.length * STYLES.length * COLOURS.length * BRANDS.length * SIZES.length * YEARS.length
/** Attributes that the storefront filters by. */
export const ATTRIBUTES = ['colour', 'size']

/**
 * Pushes a shop's catalogue of 50,400 lamps (5,040 in the gate) to the default site.
 * @param page address of their pages
 */
export async function pushProducts(service: TestService, page: string): Promise<void> {
  const lines = combinations().map(({ kind, style, colour, brand, size, year }, i) =>
    JSON.stringify({
      external_id: `lamp-${i}`,
      title: `${brand} ${style} ${kind} ${size}, ${colour}, ${year}`,
      language: 'en',
      brand,
      category: kind,
      attributes: { colour, size },
      availability: AVAILABILITIES[i % AVAILABILITIES.length],
      product_url: `${page}?product=${i}`,
      price_current: (9 + (i % 240) / 2).toFixed(2),
      ...(i % 7 === 0 ? { price_special: (8 + (i % 90) / 2).toFixed(2) } : {}),
    }),
  )
  const { status, body } = await service.call('POST', '/api/knowledge/products/bulk?site_id=default', {
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  })
  assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
}

/** Returns every combination. Some of each kind, style and colour come early, as in a shop. */
function combinations() {
  let all: Partial<Record<'kind' | 'style' | 'colour' | 'brand' | 'size', string> & { year: number }>[] = [{}]
  const parts = { year: YEARS, size: SIZES, brand: BRANDS, colour: COLOURS, style: STYLES, kind: KINDS }
  for (const [name, values] of Object.entries(parts)) {
    all = all.flatMap((one) => values.map((value) => ({ ...one, [name]: value })))
  }
  return all
}

const HANDBOOK = [
  ['en', 'Refunds', 'You get your money back within fourteen days after the **lamp** has arrived at our warehouse.'],
  ['en', 'Returns', 'Print the label, put the lamp into its box and bring it to any parcel shop.'],
  ['en', 'Warranty', 'Every lamp has a warranty of two years. Batteries have one year.'],
  ['en', 'Delivery times', 'A lamp that is in stock leaves the house on the same day.'],
  ['en', 'Holidays', 'Ask for holidays two weeks before. Your team lead answers within three days.'],
  ['de', 'Rückgabe', 'Das Geld kommt vierzehn Tage nach der Rückgabe zurück, when the lamp is whole.'],
  ['de', 'Garantie', 'Jede Lampe hat zwei Jahre Garantie.'],
] as const

/** Writes a small handbook of public entries in two languages, and waits until all have vectors. */
export async function writeHandbook(service: TestService): Promise<void> {
  const category_id = await service.category('Handbook')
  for (const [language, title, content] of HANDBOOK) {
    const entry = { title, content, language, category_id, visibility: 'public', tags: ['shop'] }
    assert.equal((await service.call('POST', '/api/knowledge/knowledge-entries', { body: entry })).status, 201)
  }
  const pending = () => service.database.queries.selectFrom('embedding_jobs').select('tenant_id').executeTakeFirst()
  await until(async () => (await pending()) === undefined, 'all entries are embedded')
}
