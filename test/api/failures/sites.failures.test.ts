import { type OperationFailures, failures, type FailureRows, create, noSuch, UNKNOWN } from './table.ts'

interface Seed {
  readonly site_id: string
  readonly standard: string
  readonly stocked: string
  readonly documented: string
  readonly entry_id: string
}

const large = { config: { text: 'x'.repeat(65_536) } }
const NO_SLUG: FailureRows = {
  '409 conflict at body.slug': { 'a slug that another site has': { body: { slug: 'stocked', name: 'Another' } } },
  '422 json_too_large at body.config': { 'a large config': { body: { slug: 'large', name: 'Another', ...large } } },
}
const ENTRIES: OperationFailures<Seed> = {
  asks: ({ entry_id }) => ({ body: { entry_ids: [entry_id] } }),
  fails: {
    ...noSuch('site_id'),
    '422 reference_not_found at body.entry_ids.1': {
      'one entry of several that does not exist': ({ entry_id }) => ({ body: { entry_ids: [entry_id, UNKNOWN] } }),
    },
  },
}

failures<Seed>('Sites', {
  seed: async (service) => {
    const [standard] = (await service.call('GET', '/api/knowledge/sites')).body as { id: string }[]
    const site = (slug: string) => create(service, 'sites', { slug, name: slug })
    const entry = { title: 'Entry', content: 'Content', category_id: await service.category() }
    const seed = {
      site_id: await site('shop'),
      standard: standard.id,
      stocked: await site('stocked'),
      documented: await site('documented'),
      entry_id: await create(service, 'knowledge-entries', entry),
    }
    await create(service, 'products?site_id=stocked', { title: 'Lamp', language: 'en' })
    const entries = { entry_ids: [seed.entry_id] }
    await service.call('PUT', `/api/knowledge/sites/${seed.documented}/knowledge`, { body: entries })
    return seed
  },
  table: {
    'createSite POST /api/knowledge/sites': { fails: NO_SLUG },
    'getSite GET /api/knowledge/sites/{site_id}': { fails: noSuch('site_id') },
    'updateSite PATCH /api/knowledge/sites/{site_id}': {
      asks: { body: { name: 'Another' } },
      fails: {
        ...noSuch('site_id'),
        ...NO_SLUG,
        '422 value_error at body.is_default': {
          'no default any more': ({ standard }) => ({ path: { site_id: standard }, body: { is_default: false } }),
        },
      },
    },
    'deleteSite DELETE /api/knowledge/sites/{site_id}': {
      fails: {
        ...noSuch('site_id'),
        '409 conflict at path.site_id': {
          'the default site': ({ standard }) => ({ path: { site_id: standard } }),
          'a site with products': ({ stocked }) => ({ path: { site_id: stocked } }),
          'a site with entries': ({ documented }) => ({ path: { site_id: documented } }),
        },
      },
    },
    'addSiteKnowledge POST /api/knowledge/sites/{site_id}/knowledge': ENTRIES,
    'setSiteKnowledge PUT /api/knowledge/sites/{site_id}/knowledge': ENTRIES,
    'listSiteKnowledge GET /api/knowledge/sites/{site_id}/knowledge': { fails: noSuch('site_id') },
    'clearSiteKnowledge DELETE /api/knowledge/sites/{site_id}/knowledge': { fails: noSuch('site_id') },
    'removeSiteKnowledge DELETE /api/knowledge/sites/{site_id}/knowledge/{entry_id}': {
      fails: { ...noSuch('site_id'), ...noSuch('entry_id') },
    },
  },
})
