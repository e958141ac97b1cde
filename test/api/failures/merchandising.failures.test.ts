import { newId } from '../../../src/platform/ids.ts'
import {
  type Ask,
  type OperationFailures,
  failures,
  type FailureRows,
  create,
  OTHER_STATE,
  noSuch,
  UNKNOWN,
} from './table.ts'

/** Rules of a site at most. */
const RULES_MAX = 200

interface Seed {
  readonly site_id: string
  readonly rule_id: string
  /** A product of the site, and one of another. */
  readonly product: string
  readonly elsewhere: string
  /** A site with as many rules as a site may have. */
  readonly full: string
}

const hide = { name: 'Sold out', action: 'hide', brands: ['Acme'] }
const rule = (fields: object): Ask => ({ body: { name: 'Rule', ...fields } })

const NO_RULE: FailureRows<Seed> = {
  '422 value_error at body.to': {
    'a rule that ends before it begins': rule({ ...hide, from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }),
  },
  '422 value_error at body.address': {
    'a redirect that leads nowhere': rule({ action: 'redirect', query: 'lamp' }),
  },
  '422 value_error at body.query, 422 value_error at body.address': {
    'a redirect of products': ({ product }) => rule({ action: 'redirect', product_ids: [product] }),
  },
  '422 value_error at body.query': { 'a redirect of every search': rule({ action: 'redirect', address: '/lamps' }) },
  '422 value_error at body.product_ids': {
    'a pin that names no product': rule({ action: 'pin', brands: ['Acme'] }),
    'a rule about no product': rule({ action: 'hide' }),
  },
  '422 value_error at body.filter': {
    'a pin with a filter': ({ product }) =>
      rule({ action: 'pin', product_ids: [product], filter: { field: 'brand', any_of: ['Acme'] } }),
  },
  '422 reference_not_found at body.product_ids.1': {
    'a product that does not exist': ({ product }) => rule({ action: 'pin', product_ids: [product, UNKNOWN] }),
    'a product of another site': ({ product, elsewhere }) => rule({ action: 'pin', product_ids: [product, elsewhere] }),
  },
  '422 json_too_large at body': {
    'a rule that is too large': rule({
      action: 'hide',
      filter: { all: [{ field: 'brand', any_of: ['x'.repeat(33_000)] }] },
    }),
  },
}
const ONE: OperationFailures<Seed> = { fails: { ...noSuch('site_id'), ...noSuch('rule_id') } }

failures<Seed>('Merchandising', {
  seed: async (service) => {
    const site = (slug: string) => create(service, 'sites', { slug, name: slug })
    const lamp = (slug: string) => create(service, `products?site_id=${slug}`, { title: 'Lamp', language: 'en' })
    const [site_id, full] = [await site('shop'), await site('full')]
    const definition = JSON.stringify(hide)
    const rules = Array.from({ length: RULES_MAX }, () => {
      return { tenant_id: service.tenantId, id: newId(), site_id: full, definition, created_at: 1, updated_at: 1 }
    })
    await service.database.queries.insertInto('merchandising_rules').values(rules).execute()
    const rule_id = await create(service, `sites/${site_id}/merchandising`, hide)
    return { site_id, rule_id, product: await lamp('shop'), elsewhere: await lamp('default'), full }
  },
  table: {
    'listMerchandisingRules GET /api/knowledge/sites/{site_id}/merchandising': { fails: noSuch('site_id') },
    'createMerchandisingRule POST /api/knowledge/sites/{site_id}/merchandising': {
      asks: { body: hide },
      fails: {
        ...noSuch('site_id'),
        ...NO_RULE,
        '409 conflict at path.site_id': {
          'a site with as many rules as it may have': ({ full }) => ({ path: { site_id: full } }),
        },
      },
    },
    'getMerchandisingRule GET /api/knowledge/sites/{site_id}/merchandising/{rule_id}': ONE,
    'replaceMerchandisingRule PUT /api/knowledge/sites/{site_id}/merchandising/{rule_id}': {
      asks: { body: hide },
      fails: { ...ONE.fails, ...OTHER_STATE, ...NO_RULE },
    },
    'deleteMerchandisingRule DELETE /api/knowledge/sites/{site_id}/merchandising/{rule_id}': {
      fails: { ...ONE.fails, ...OTHER_STATE },
    },
    'previewMerchandising POST /api/knowledge/sites/{site_id}/merchandising/preview': {
      asks: { body: { query: 'lamp', rules: [] } },
      fails: {
        ...noSuch('site_id'),
        '422 value_error at body.rules.1.product_ids': {
          'a rule about no product': { body: { query: 'lamp', rules: [hide, { name: 'Rule', action: 'hide' }] } },
        },
      },
    },
    'replaceSearchVocabulary PUT /api/knowledge/search-vocabulary': {
      asks: { body: { synonyms: [], stop_words: [] } },
      fails: {
        ...OTHER_STATE,
        '422 json_too_large at body': {
          'a vocabulary that is too large': {
            body: {
              synonyms: Array.from({ length: 140 }, () => ({ words: Array(20).fill('x'.repeat(100)) })),
              stop_words: [],
            },
          },
        },
      },
    },
  },
})
