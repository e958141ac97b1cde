import { type Ask, type OperationFailures, failures, GUESSED_STATE, create, noSuch, UNKNOWN } from './table.ts'

/** Deepest level to which categories are nested. */
const DEPTH_MAX = 64

interface Seed {
  readonly category_id: string
  readonly child: string
  readonly filled: string
  readonly deepest: string
  readonly writer: string
}

const below = (parent_id: string): Ask => ({ body: { name: 'Another', parent_id } })
const into = (into_id: string): Ask => ({ body: { into_id } })

const NO_PARENT = { '422 reference_not_found at body.parent_id': { 'a parent that does not exist': below(UNKNOWN) } }
const NO_PLACE = {
  'a parent that is the category itself': ({ category_id }: Seed) => below(category_id),
  'a parent below the category': ({ child }: Seed) => below(child),
  'a parent as deep as categories may be': ({ deepest }: Seed) => below(deepest),
}
const CHANGE: OperationFailures<Seed> = {
  asks: { body: { name: 'Another' } },
  fails: {
    ...noSuch('category_id'),
    ...GUESSED_STATE,
    ...NO_PARENT,
    '422 value_error at body.parent_id': NO_PLACE,
  },
}

failures<Seed>('Categories', {
  seed: async (service) => {
    const category_id = await service.category('Handbook')
    const filled = await service.category('Filled')
    await create(service, 'knowledge-entries', { title: 'Kept', content: 'Kept', category_id: filled })
    let deepest = await service.category('Top')
    for (let depth = 1; depth < DEPTH_MAX; depth++)
      deepest = await create(service, 'categories', { name: `Level ${depth}`, parent_id: deepest })
    return {
      category_id,
      child: await create(service, 'categories', { name: 'Child', parent_id: category_id }),
      filled,
      deepest,
      writer: await service.key(['categories:write', 'visibility:internal']),
    }
  },
  table: {
    'createCategory POST /api/knowledge/categories': {
      fails: {
        ...NO_PARENT,
        '422 value_error at body.parent_id': {
          'a parent as deep as categories may be': ({ deepest }) => below(deepest),
        },
      },
    },
    'getCategory GET /api/knowledge/categories/{category_id}': { fails: noSuch('category_id') },
    'updateCategory PUT /api/knowledge/categories/{category_id}': CHANGE,
    'updateCategoryWithPatch PATCH /api/knowledge/categories/{category_id}': CHANGE,
    'moveCategory POST /api/knowledge/categories/{category_id}/move': {
      asks: { body: { parent_id: null } },
      fails: {
        ...noSuch('category_id'),
        ...NO_PARENT,
        '422 value_error at body.parent_id': NO_PLACE,
        '422 reference_not_found at body.before_id': {
          'a sibling that does not exist': { body: { parent_id: null, before_id: UNKNOWN } },
        },
        '422 value_error at body.before_id': {
          'a place before itself': ({ category_id: id }) => ({ body: { parent_id: null, before_id: id } }),
        },
        '409 conflict at body.before_id': {
          'a sibling below another parent': ({ child }) => ({ body: { parent_id: null, before_id: child } }),
        },
      },
    },
    'deleteCategory DELETE /api/knowledge/categories/{category_id}': {
      fails: {
        ...noSuch('category_id'),
        ...GUESSED_STATE,
        '409 conflict at path.category_id': {
          'a category with children': {},
          'a category with entries': ({ filled }) => ({ path: { category_id: filled } }),
        },
      },
    },
    'mergeCategory POST /api/knowledge/categories/{category_id}/merge': {
      asks: ({ filled }) => into(filled),
      fails: {
        ...noSuch('category_id'),
        '422 reference_not_found at body.into_id': { 'a category that does not exist': into(UNKNOWN) },
        '422 value_error at body.into_id': {
          'the category itself': ({ category_id }) => into(category_id),
          'a category below it': ({ child }) => into(child),
          'a category too deep for what is below it': ({ deepest }) => into(deepest),
        },
      },
    },
  },
})
