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
/** Failures of a change of `lamp`. */
const BAD_PATCH: FailureRows = {
  '422 immutable_field at body.external_id': {
    'another external_id': { body: { external_id: 'other' } },
    'no external_id': { body: { external_id: null } },
  },
  '422 string_type at body.title': { 'a title that is cleared': { body: { title: null } } },
  '422 value_error at body.parent_external_id': {
    'a product that becomes its own parent': { body: { parent_external_id: 'lamp' } },
  },
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
    'patchProduct PATCH /api/knowledge/products/{product_id}': {
      asks: { body: { brand: 'B' } },
      fails: { ...noSuch('product_id'), ...GUESSED_STATE, ...BAD_PATCH },
    },
    'patchProductByExternalId PATCH /api/knowledge/products/by-external-id/{external_id}': {
      asks: { path: { external_id: 'lamp' }, query: { site_id: 'default' }, body: { brand: 'B' } },
      fails: {
        '404 not_found at path.external_id': {
          'a product that does not exist': { path: { external_id: 'nothing' } },
          'a product of another site': ({ site_id }) => ({ query: { site_id } }),
        },
        ...NO_SITE,
        ...GUESSED_STATE,
        ...BAD_PATCH,
      },
    },
    'deleteProduct DELETE /api/knowledge/products/{product_id}': {
      fails: { ...noSuch('product_id'), ...GUESSED_STATE },
    },
    'importProducts POST /api/knowledge/products/bulk': {
      asks: { body: JSON.stringify(lamp), headers: { 'content-type': 'application/x-ndjson' } },
      fails: {
        ...NO_SITE,
        '422 value_error at query.mode': {
          'a full sync of patches': { query: { site_id: 'default', sync: 'full', mode: 'patch' } },
        },
      },
    },
    'bulkDeleteProducts POST /api/knowledge/products/bulk-delete': {
      asks: { query: { site_id: 'default' }, body: { external_ids: ['nothing'] } },
      fails: {
        ...NO_SITE,
        '422 too_short at body.external_ids': { 'no product': { body: { external_ids: [] } } },
        '422 extra_forbidden at body.dryrun': {
          'a misspelt dry run': { body: { external_ids: ['lamp'], dryrun: true } },
        },
      },
    },
    'listProductSyncRuns GET /api/knowledge/sites/{site_id}/sync-runs': { fails: noSuch('site_id') },
  },
})
