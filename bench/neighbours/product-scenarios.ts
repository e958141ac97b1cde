import { madeUpProducts } from '../support/made-up-products.ts'
import { prepared } from './scenario.ts'

const PRODUCTS = 20_000
const PER_IMPORT = 1_000
const NDJSON = { 'content-type': 'application/x-ndjson' }

export const PRODUCT_GROUP = prepared(
  { name: 'products' },
  async (abuser) => {
    const products = madeUpProducts(abuser.size(PRODUCTS)).map((product, n) => ({
      ...product,
      brand: `Brand ${n} ${abuser.word()}`,
      category: `Category ${n % 5_000} > ${abuser.word()}`,
      availability: `Availability ${n % 3_000}`,
    }))
    const ids: string[] = []
    for (let from = 0; from < products.length; from += PER_IMPORT) {
      ids.push(...(await abuser.api.importProducts('default', products.slice(from, from + PER_IMPORT))))
    }
    await abuser.api.call('POST', '/products/search', { query: 'cable' })
    return { ids, lines: products.map((product) => `${JSON.stringify(product)}\n`).join('') }
  },
  [
    {
      name: 'product-words',
      what: 'searches 20,000 products for 64 unknown words, 16 connections',
      run: (abuser) => abuser.flood(16, () => productSearch({ query: abuser.words(64) })),
    },
    {
      name: 'facets',
      what: 'searches products by nothing and counts facets of 20,000 brands and 5,000 categories, 16 connections',
      run: (abuser) => abuser.flood(16, (n) => productSearch({ query: n % 2 === 0 ? '' : 'a', limit: 100 })),
    },
    {
      name: 'suggest-long',
      what: 'asks for suggestions for 200 characters, known and unknown words, 16 connections',
      run: (abuser) =>
        abuser.flood(16, (n) => {
          const typed =
            n % 2 === 0 ? abuser.words(22) : 'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(3)
          return { path: `/api/knowledge/suggest?limit=20&q=${encodeURIComponent(typed.slice(0, 198))}` }
        }),
    },
    {
      name: 'suggest-letter',
      what: 'asks for suggestions for one letter, 16 connections',
      run: (abuser) =>
        abuser.flood(16, (n) => ({
          path: `/api/knowledge/suggest?limit=20&q=${String.fromCharCode(97 + (n % 26))}`,
        })),
    },
    {
      name: 'similar-products',
      what: 'asks for 100 similar products of every product, 16 connections',
      run: (abuser, { ids }) =>
        abuser.flood(16, (n) => ({ path: `/api/knowledge/products/${ids[n % ids.length]}/similar?limit=100` })),
    },
    {
      name: 'product-lists',
      what: 'lists products in pages of 1,000 with the total, 8 connections',
      run: (abuser) => abuser.flood(8, () => ({ path: '/api/knowledge/products?include_total=true&limit=1000' })),
    },
    {
      name: 'product-full-sync',
      what: 'pushes 20,000 products as a full sync, then none, which retires them, again and again',
      mostSeconds: 60,
      async run(abuser, { lines }) {
        const path = '/api/knowledge/products/bulk?site_id=default&sync=full'
        const client = abuser.client()
        const firstLine = lines.slice(0, lines.indexOf('\n') + 1)
        do {
          await abuser.send(client, { method: 'POST', path, headers: NDJSON, body: firstLine })
          await abuser.send(client, { method: 'POST', path, headers: NDJSON, body: lines })
        } while (!abuser.isOver)
      },
    },
  ],
)

const productSearch = (body: object) => ({ method: 'POST', path: '/api/knowledge/products/search', body }) as const
