import { failures, type FailureRows, UNKNOWN } from './table.ts'

const question = { section: 'knowledge', query: 'lamp' }
const NO_EYES: FailureRows<{ readonly insider: string }> = {
  '422 above_own_ceiling at body.ceiling': {
    'the eyes of a user who sees more than the caller': ({ insider }) => ({
      key: insider,
      body: { ...question, id: UNKNOWN, ceiling: 'restricted' },
    }),
  },
}

failures('Search laboratory', {
  seed: async (service) => ({
    insider: await service.key(['tenant:admin', 'knowledge:read', 'products:read', 'visibility:internal']),
  }),
  table: {
    'compareSearchModes POST /api/knowledge/laboratory/search': {
      fails: {
        ...NO_EYES,
        '422 reference_not_found at body.site_id': {
          'a site that does not exist': { body: { ...question, site_id: UNKNOWN } },
        },
      },
    },
    'explainMissingHit POST /api/knowledge/laboratory/missing': {
      fails: {
        ...NO_EYES,
        '422 reference_not_found at body.id': {
          'an entry that does not exist': { body: { ...question, id: UNKNOWN } },
          'a product that does not exist': { body: { ...question, section: 'products', id: UNKNOWN } },
        },
      },
    },
  },
})
