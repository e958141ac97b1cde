import type { TestService } from '../../support/service.ts'

const KINDS = [
  ['Akku-Bohrschrauber', 'Werkzeug > Elektrowerkzeug > Bohrschrauber', 89],
  ['Stichsäge', 'Werkzeug > Elektrowerkzeug > Sägen', 74.5],
  ['Handkreissäge', 'Werkzeug > Elektrowerkzeug > Sägen', 129],
  ['Schraubendreher-Satz', 'Werkzeug > Handwerkzeug > Schraubendreher', 24.9],
  ['Hammer', 'Werkzeug > Handwerkzeug > Hämmer', 18.95],
  ['Gartenschere', 'Garten > Scheren', 32],
  ['Rasenmäher', 'Garten > Rasen', 349],
  ['Gießkanne', 'Garten > Bewässerung', 12.5],
] as const
const BRANDS = ['Bosch', 'Makita', 'Gardena', 'Bohrfix', 'Eichenhof'] as const
const STOCKS = ['InStock', 'InStock', 'OutOfStock', 'PreOrder'] as const
const SITE = 'werkstatt'
const SHOP = 'https://werkstatt.example.com'

/** The catalogue of a small shop for tools: names, categories, prices and stock as a feed has them. */
const SAMPLE_PRODUCTS: readonly Record<string, unknown>[] = [
  ...BRANDS.flatMap((brand, b) =>
    KINDS.map(([kind, category, price], k) => ({
      external_id: `W-${100 + b * KINDS.length + k}`,
      sku: `${brand.slice(0, 3).toUpperCase()}-${k + 1}00`,
      gtin: `40051767${String(10_000 + b * 100 + k)}`.slice(0, 13),
      title: `${brand} ${kind}`,
      language: 'de',
      brand,
      category,
      price_current: price + b * 10,
      ...(k === 0 ? { price_special: price - 10, price_special_until: '2030-12-31T22:59:59Z' } : {}),
      availability: STOCKS[(b + k) % STOCKS.length],
      short_description: `${kind} für Werkstatt und Zuhause.`,
      description: `Ein ${kind} von ${brand}, der jeden Tag mitmacht. Mit zwei Jahren Garantie und Ersatzteilen für zehn Jahre.`,
      attributes: { Gewicht: `${1 + k / 2} kg`, Farbe: ['Blau', 'Türkis', 'Orange'][b % 3], Geräusch: '78 dB' },
      image_url: `${SHOP}/bilder/W-${100 + b * KINDS.length + k}.jpg`,
      product_url: `${SHOP}/p/W-${100 + b * KINDS.length + k}`,
      rating_average: 4.5,
      rating_count: 12 + k,
    })),
  ),
  {
    external_id: 'H-1',
    title: 'Arbeitshandschuh „Griffig“',
    language: 'de',
    brand: 'Eichenhof',
    category: 'Kleidung > Handschuhe',
    price_current: 9.9,
    availability: 'InStock',
    is_parent: true,
  },
  ...['S', 'M', 'L', 'XL'].map((size, i) => ({
    external_id: `H-1-${size}`,
    sku: `HAND-${size}`,
    title: `Arbeitshandschuh „Griffig“ Größe ${size}`,
    language: 'de',
    brand: 'Eichenhof',
    category: 'Kleidung > Handschuhe',
    price_current: 9.9 + i,
    availability: i === 3 ? 'OutOfStock' : 'InStock',
    attributes: { Größe: size },
    is_variant: true,
    parent_external_id: 'H-1',
  })),
]

/** Sends the catalogue as a shop does, with its good and its bad nights. @returns ids of the products by title */
export async function fillProducts(service: TestService): Promise<ReadonlyMap<string, string>> {
  const site = await service.call('POST', '/api/knowledge/sites', {
    body: { slug: SITE, name: 'Werkstatt', domain: 'werkstatt.example.com', site_type: 'shop', is_default: true },
  })
  const push = (lines: readonly (object | string)[], query = '') =>
    service.call('POST', `/api/knowledge/products/bulk?site_id=${SITE}${query}`, {
      body: lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
      headers: { 'content-type': 'application/x-ndjson' },
    })
  await push(SAMPLE_PRODUCTS, '&sync=full')
  await push([...SAMPLE_PRODUCTS.slice(0, 30), { external_id: 'W-999', title: '', language: 'de' }])
  await push(SAMPLE_PRODUCTS.slice(0, 12), '&sync=full')
  await push([{ ...SAMPLE_PRODUCTS[4], price_current: 17.95 }])
  const { body } = await service.call('GET', `/api/knowledge/products?site_id=${SITE}`)
  const ids = new Map<string, string>(body.map(({ title, id }: { title: string; id: string }) => [title, id]))
  const rules = [
    { name: 'Sommer: Garten zuerst', action: 'boost', categories: ['Garten > Rasen'], strength: 0.5 },
    {
      name: 'Bohrschrauber der Woche',
      action: 'pin',
      query: 'Bohrschrauber',
      product_ids: [ids.get('Makita Akku-Bohrschrauber')],
    },
    {
      name: 'Ausverkauftes nach hinten',
      action: 'bury',
      availabilities: ['OutOfStock'],
      strength: 0.8,
      is_active: false,
    },
    { name: 'Versandkosten', action: 'redirect', query: 'Versand', address: '/versand' },
  ]
  for (const body of rules) await service.call('POST', `/api/knowledge/sites/${site.body.id}/merchandising`, { body })
  await service.call('PUT', '/api/knowledge/search-vocabulary', {
    body: {
      synonyms: [{ words: ['Akkuschrauber', 'Bohrschrauber'] }, { from: 'Flex', words: ['Winkelschleifer'] }],
      stop_words: ['günstig', 'kaufen'],
    },
  })
  return ids
}
