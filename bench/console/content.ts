import { openDatabase } from '../../src/platform/database/database.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { type BenchEntry, makeCorpus } from '../search-corpus.ts'
import type { ApiClient } from '../support/api-client.ts'
import { madeUpProducts } from '../support/made-up-products.ts'

/** Amounts of a tenant's content. */
export interface Amounts {
  readonly entries: number
  readonly categories: number
  readonly products: number
  readonly people: number
  /** Deleted entries in the bin, beside the others. */
  readonly binned: number
}

const STREAMS = 16
const PER_IMPORT = 500
const PER_DELETE = 500
/** Children of a category in the half of the tree that is nested: three levels of them. */
const CHILDREN = 21

/** Fills the tenant over its API. The rules of users make its people, since an invitation would need an answer. */
export async function fillTenant(api: ApiClient, dataDir: string, amounts: Amounts): Promise<void> {
  const categories = await makeCategories(api, amounts.categories)
  const { entries } = makeCorpus(amounts.entries + amounts.binned, 0)
  const ids = await imported(entries, (some) => api.importEntries(some.map((entry) => inCategory(entry, categories))))
  for (let from = amounts.entries; from < ids.length; from += PER_DELETE)
    await api.call('POST', '/knowledge-entries/bulk-delete', { entry_ids: ids.slice(from, from + PER_DELETE) })
  await imported(madeUpProducts(amounts.products), (some) => api.importProducts('default', some))
  await addPeople(dataDir, amounts.people)
  await api.embedded()
}

/**
 * Makes the categories: half of them below one, the others in a tree of three levels.
 * @returns the ids of all
 */
async function makeCategories(api: ApiClient, count: number): Promise<string[]> {
  const ids: string[] = []
  const add = async (name: string, parentId: string | null): Promise<string> => {
    const { id } = await api.call<{ id: string }>('POST', '/categories', { name, parent_id: parentId })
    ids.push(id)
    return id
  }
  const addBelow = async (parents: readonly (string | null)[], each: number, name: string): Promise<string[]> => {
    const places = parents.flatMap((parent) => Array.from({ length: each }, (_, i) => ({ parent, i })))
    const allowed = places.slice(0, count - ids.length)
    return imported(allowed, (some) => Promise.all(some.map(({ parent, i }) => add(`${name} ${i}`, parent))), STREAMS)
  }
  const tops = await addBelow([null], CHILDREN, 'Area')
  const middles = await addBelow(tops, CHILDREN, 'Field')
  await addBelow(middles, CHILDREN, 'Subject')
  const crowd = await add('Register', null)
  await addBelow([crowd], count - ids.length, 'Record')
  return ids
}

const inCategory = ({ category: _hundredth, ...entry }: BenchEntry, categories: readonly string[]): object => ({
  ...entry,
  category_id:
    categories[Math.floor((entry.title.length * 7_919 + entry.content.length * 104_729) % categories.length)],
})

/** Sends items in batches, one after the other. Returns the ids of all. */
async function imported<Item>(
  items: readonly Item[],
  send: (some: readonly Item[]) => Promise<string[]>,
  batch = PER_IMPORT,
): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < items.length; from += batch) ids.push(...(await send(items.slice(from, from + batch))))
  return ids
}

async function addPeople(dataDir: string, count: number): Promise<void> {
  const database = openDatabase({ dataDir, databaseUrl: null })
  try {
    for (let i = 0; i < count; i++) {
      const person = { email: `person-${i}@bench.example`, name: `Person ${i}`, role: 'reader' }
      await createUser(database, 'default', person)
    }
  } finally {
    await database.close()
  }
}
