import { failures, UNKNOWN } from './table.ts'

failures('Search', {
  seed: async (service) => ({
    shopper: await service.key(['products:read']),
    nobody: await service.key(['sites:read']),
  }),
  table: {
    'search POST /api/knowledge/search': {
      asks: { body: { query: 'lamp' } },
      fails: {
        '403 forbidden at body.sections': {
          'a section that the caller may not read': ({ shopper }) => ({
            key: shopper,
            body: { query: 'lamp', sections: ['products', 'knowledge'] },
          }),
          'a caller who may read no section': ({ nobody }) => ({ key: nobody }),
        },
        '422 reference_not_found at body.site_id': {
          'a site that does not exist': { body: { query: 'lamp', site_id: UNKNOWN } },
        },
        '422 cursor_invalid at body.products.cursor': {
          'a cursor of another search': { body: { query: 'lamp', products: { cursor: 'a-another' } } },
        },
      },
    },
    'multiSearch POST /api/knowledge/multi-search': {
      fails: {
        '403 forbidden at body.searches.1.sections': {
          'a section that the caller may not read': ({ shopper }) => ({
            key: shopper,
            body: { searches: [{ query: 'lamp' }, { query: 'lamp', sections: ['knowledge'] }] },
          }),
        },
        '422 reference_not_found at body.searches.1.site_id': {
          'a site that does not exist': {
            body: { searches: [{ query: 'lamp' }, { query: 'lamp', site_id: UNKNOWN }] },
          },
        },
      },
    },
    'suggest GET /api/knowledge/suggest': {
      asks: { query: { q: 'la' } },
      fails: {
        '403 forbidden at query.section': {
          'a section that the caller may not read': ({ shopper }) => ({
            key: shopper,
            query: { q: 'la', section: 'knowledge' },
          }),
          'a caller who may read no section': ({ nobody }) => ({ key: nobody }),
        },
        '422 reference_not_found at query.site_id': {
          'a site that does not exist': { query: { q: 'la', site_id: UNKNOWN } },
        },
      },
    },
  },
})
