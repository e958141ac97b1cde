import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { type DatabaseOptions, openDatabase } from '../../src/platform/database/database.ts'
import { givePassword } from '../../test/support/passwords.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { ApiClient } from '../support/api-client.ts'
import { madeUpProducts } from '../support/made-up-products.ts'

const NEIGHBOUR_ENTRIES = 1_000

/** Creates the abusive tenant, with keys of an administrator and an editor. */
export async function makeAbuser(
  place: DatabaseOptions,
  id: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ adminKey: string; editorKey: string }> {
  const database = openDatabase(place)
  try {
    await createTenant(database, { id, name: id, host: null })
    await changeTenant(database, id, { settings })
    const keyOf = async (role: 'admin' | 'editor'): Promise<string> => {
      const user = await createUser(database, id, { email: `${role}@${id}.example`, name: role, role })
      await givePassword(database, id, user.id, 'the right one for tests')
      const key = { name: role, scopes: ROLE_SCOPES[role], userId: user.id, expiresAt: null }
      return (await issueApiKey(database, id, key)).key
    }
    return { adminKey: await keyOf('admin'), editorKey: await keyOf('editor') }
  } finally {
    await database.close()
  }
}

/** Stores the neighbour's entries and builds its index. */
export async function fillNeighbour(url: string, key: string): Promise<{ ids: string[]; queries: string[] }> {
  const api = new ApiClient(url, key)
  try {
    const category = await api.category('Neighbour')
    const texts = madeUpProducts(NEIGHBOUR_ENTRIES)
    const entries = texts.map(({ title, description }) => ({
      title,
      content: `${description as string} ${title as string}`,
      category_id: category,
      language: 'en',
    }))
    const ids = await api.importEntries(entries)
    await api.embedded()
    const queries = texts.slice(0, 200).map(({ title }) => (title as string).split(' ').slice(0, 3).join(' '))
    for (const query of queries.slice(0, 20)) {
      await api.call('POST', '/knowledge-entries/search', { query, mode: 'hybrid' })
    }
    return { ids, queries }
  } finally {
    await api.close()
  }
}
