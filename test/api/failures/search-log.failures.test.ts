import { failures, type FailureRows, UNKNOWN } from './table.ts'

const NO_SITE: FailureRows = {
  '422 reference_not_found at query.site_id': { 'a site that does not exist': { query: { site_id: UNKNOWN } } },
}

failures('Search log', {
  seed: async () => ({}),
  table: {
    'getSearchAnalytics GET /api/knowledge/analytics/search': {
      fails: {
        '422 value_error at query.from': {
          'a range that ends before it begins': {
            query: { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
          },
        },
      },
    },
    'getLearnt GET /api/knowledge/learning': { asks: { query: { query: 'lamp' } }, fails: NO_SITE },
    'listLearntQueries GET /api/knowledge/learning/queries': { fails: NO_SITE },
  },
})
