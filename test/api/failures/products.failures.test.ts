import { failures, type FailureRows, GUESSED_STATE, create, noSuch, UNKNOWN } from './table.ts'

interface Seed {
  readonly product_id: string
  readonly site_id: string
  /** May write and not read. */
  readonly writer: string
}

const lamp = { title: 'Lamp', language: 'en', external_id: 'lamp' }
const NO_SITE: FailureRows = {
  '422 reference_not_found at query.site_id': { 'a site that does not exist': { query: { site_id: UNKNOWN } } },
}

failures<Seed>('Products', {
  seed: async (service) => ({
    product_id: await create(service, 'products?site_id=default', lamp),
    site_id: await create(service, 'sites', { slug: 'shop', name: 'Shop' }),
    writer: await service.key(['products:write']),
  }),
  table: {
    'upsertProduct POST /api/knowledge/products': {
      asks: { query: { site_id: 'default' }, body: lamp },
      fails: {
        ...GUESSED_STATE,
        ...NO_SITE,
        '422 value_error at body.parent_external_id': {
          'a product that is its own parent': { body: { ...lamp, parent_external_id: 'lamp' } },
        },
        '422 value_error at body.price_special_until': {
          'a special price that ends before it begins': {
            body: {
              ...lamp,
              price_special_from: '2026-02-01T00:00:00Z',
              price_special_until: '2026-01-01T00:00:00Z',
            },
          },
        },
      },
    },
    'listProducts GET /api/knowledge/products': { fails: NO_SITE },
    'getProduct GET /api/knowledge/products/{product_id}': { fails: noSuch('product_id') },
    'deleteProduct DELETE /api/knowledge/products/{product_id}': {
      fails: { ...noSuch('product_id'), ...GUESSED_STATE },
    },
    'importProducts POST /api/knowledge/products/bulk': {
      asks: { body: JSON.stringify(lamp), headers: { 'content-type': 'application/x-ndjson' } },
      fails: NO_SITE,
    },
    'listProductSyncRuns GET /api/knowledge/sites/{site_id}/sync-runs': { fails: noSuch('site_id') },
  },
})
