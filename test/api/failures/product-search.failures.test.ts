import { failures, type FailureRows, create, noSuch, UNKNOWN } from './table.ts'

const NO_SITE: FailureRows = {
  '422 reference_not_found at body.site_id': {
    'a site that does not exist': { body: { query: 'x', site_id: UNKNOWN } },
  },
}
const NO_PRICE: FailureRows = {
  '422 greater_than_equal at body.price_max': {
    'prices that end below where they begin': { body: { query: 'x', price_min: 2, price_max: 1 } },
  },
}

failures('Product search', {
  seed: async (service) => ({
    product_id: await create(service, 'products?site_id=default', { title: 'Lamp', language: 'en' }),
  }),
  table: {
    'searchProducts POST /api/knowledge/products/search': { fails: { ...NO_SITE, ...NO_PRICE } },
    'listSimilarProducts GET /api/knowledge/products/{product_id}/similar': { fails: noSuch('product_id') },
    'browseProducts POST /api/knowledge/products/browse': { fails: NO_SITE },
  },
})
