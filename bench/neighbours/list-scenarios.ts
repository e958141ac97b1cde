import { times, type Abuser } from './abuser.ts'
import { prepared } from './scenario.ts'

const LIST = '/api/knowledge/knowledge-entries'
const UNREAD = 30
const TREE = 8_000
const DESCRIBED = 3_000
const DESCRIPTION = 'd'.repeat(5_000)

interface Tree {
  readonly root: string
  readonly deepest: string
}

/** Makes a tree as deep as the service allows; further categories are siblings below the root. */
async function makeTree(abuser: Abuser): Promise<Tree> {
  const root = await abuser.api.category('Root')
  let deepest = root
  let isDeep = true
  for (let n = 0; n < abuser.size(TREE); n++) {
    try {
      const body = { name: `Category ${n}`, parent_id: isDeep ? deepest : root }
      const { id } = await abuser.api.call<{ id: string }>('POST', '/categories', body)
      if (isDeep) deepest = id
    } catch {
      // The service refused: at first because of the depth, later because of the number.
      if (!isDeep) break
      isDeep = false
    }
  }
  const entry = (n: number) => ({
    title: `Entry ${n}`,
    content: abuser.words(20),
    category_id: deepest,
    language: 'en',
  })
  await abuser.store(times(abuser.size(2_000), entry))
  return { root, deepest }
}

export const CATEGORIES = prepared({ name: 'categories' }, makeTree, [
  {
    name: 'category-tree',
    what: `searches below the root of ${TREE.toLocaleString('en')} nested categories, 16 connections`,
    run: (abuser, { root }) =>
      abuser.flood(16, () => ({
        method: 'POST',
        path: `${LIST}/search`,
        body: { query: abuser.words(2), mode: 'hybrid', category_id: root, include_descendants: true },
      })),
  },
  {
    name: 'category-moves',
    what: 'moves the top of that tree to its own bottom, which is refused, 8 connections',
    run: (abuser, { root, deepest }) =>
      abuser.flood(8, () => ({
        method: 'PATCH',
        path: `/api/knowledge/categories/${root}`,
        body: { parent_id: deepest },
      })),
  },
])

/** Stores as many items as the service allows, over a few connections. */
async function storeMany(abuser: Abuser, path: string, count: number, body: (n: number) => object): Promise<void> {
  const key = abuser.target.adminKey
  const numbers = Array.from({ length: abuser.size(count) }, (_, n) => n)
  await abuser.each(numbers, 8, (client, n) => abuser.send(client, { method: 'POST', path, key, body: body(n) }))
}

export const UNREAD_GROUP = prepared(
  { name: 'unread' },
  async (abuser) => {
    await storeMany(abuser, '/api/knowledge/categories', DESCRIBED, (n) => ({
      name: `Category ${n}`,
      description: DESCRIPTION,
    }))
    await storeMany(abuser, '/api/knowledge/projects', DESCRIBED, (n) => ({
      name: `Project ${n}`,
      description: DESCRIPTION,
    }))
    await storeMany(abuser, '/api/knowledge/sites', 250, (n) => ({
      slug: `site-${n}`,
      name: `Site ${n}`,
      config: { text: 's'.repeat(60_000) },
    }))
    const category = await abuser.api.category('Control')
    const entry = (n: number) => ({
      title: `Control ${n}`,
      content: '\u0001'.repeat(330_000),
      category_id: category,
      language: 'en',
    })
    await abuser.store(times(abuser.size(40), entry), 2)
  },
  [
    unread('unread-categories', '/api/knowledge/categories', '3,000 categories with long descriptions'),
    unread('unread-projects', '/api/knowledge/projects', '3,000 projects with long descriptions'),
    unread('unread-sites', '/api/knowledge/sites', '250 sites with settings of 60 KB'),
    unread('unread-entries', `${LIST}?limit=1000`, 'a page of entries of control characters'),
    {
      name: 'read-categories',
      what: 'lists 3,000 categories with long descriptions, 8 connections that read',
      run: (abuser: Abuser) => abuser.flood(8, () => ({ path: '/api/knowledge/categories' })),
    },
    {
      name: 'read-sites',
      what: 'lists 250 sites with settings of 60 KB, 8 connections that read',
      run: (abuser: Abuser) => abuser.flood(8, () => ({ path: '/api/knowledge/sites' })),
    },
    {
      name: 'read-entries',
      what: 'lists a page of entries of control characters, 8 connections that read',
      run: (abuser: Abuser) => abuser.flood(8, () => ({ path: `${LIST}?limit=1000` })),
    },
  ],
)

function unread(name: string, path: string, what: string) {
  return {
    name,
    what: `asks for ${what} on ${UNREAD} connections and does not read`,
    run: (abuser: Abuser) => abuser.unreadFlood(UNREAD, { path }),
  }
}

const TAGGED = 20_000
const TAGS = 2_000
const TAGS_EACH = 100

export const TAGS_GROUP = prepared(
  { name: 'tags' },
  async (abuser) => {
    const category = await abuser.api.category('Tagged')
    const tagOf = (): string => `tag-${Math.floor(abuser.random() * TAGS)}`
    const entry = (n: number) => ({
      title: `Tagged ${n}`,
      content: `Entry ${n}`,
      category_id: category,
      language: 'en',
      tags: Array.from({ length: TAGS_EACH }, tagOf),
    })
    await abuser.store(times(abuser.size(TAGGED), entry), 250)
    return Array.from({ length: 50 }, () => Array.from({ length: TAGS_EACH }, (_, i) => `none-${i}`).concat(tagOf()))
  },
  [
    {
      name: 'tags',
      what: 'lists 20,000 entries of 100 tags each by 100 tags, 8 connections',
      run: (abuser, tags) => abuser.flood(8, (n) => ({ path: tagged(tags[n % tags.length], '') })),
    },
    {
      name: 'tags-total',
      what: 'the same with the total',
      run: (abuser, tags) => abuser.flood(8, (n) => ({ path: tagged(tags[n % tags.length], '&include_total=true') })),
    },
    {
      name: 'tags-none',
      what: 'the same with tags that no entry has',
      run: (abuser) =>
        abuser.flood(8, (n) => ({
          path: tagged(
            Array.from({ length: 100 }, (_, i) => `x${n}${i}`),
            '',
          ),
        })),
    },
  ],
)

function tagged(tags: readonly string[], more: string): string {
  return `${LIST}?limit=100${more}${tags
    .slice(-100)
    .map((tag) => `&tag=${tag}`)
    .join('')}`
}
