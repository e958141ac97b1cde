import assert from 'node:assert/strict'
import { Agent, fetch as fetchWith } from 'undici'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { holdersOf } from '../../src/search/tenant-share.ts'
import { ADMIN_KEY } from '../durability/service-process.ts'
import type { TestDatabase } from '../support/databases.ts'

/** Milliseconds that a request may wait for a process that is paused. */
const PATIENCE_MS = 10_000

interface Reached {
  readonly url: string
}

/** A tenant of a service whose processes share tenants. */
export interface SharedTenant {
  readonly key: string
  readonly categoryId: string
  /** Name of the process that holds its indexes. */
  readonly holder: string
}

/** Sends a request on a connection of its own, which the next process gets. */
export async function onNewConnection({ url }: Reached, path: string, key = ADMIN_KEY, body?: object) {
  const dispatcher = new Agent({ pipelining: 0 })
  try {
    const answer = await fetchWith(url + path, {
      dispatcher,
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of several shapes
    return { status: answer.status, body: (await answer.json()) as any }
  } finally {
    await dispatcher.destroy()
  }
}

/** Makes tenants of which each of the processes holds so many. @param processes their names */
export async function tenantsOf(
  service: Reached,
  { options }: TestDatabase,
  processes: readonly string[],
  each: number,
): Promise<SharedTenant[]> {
  const database = openDatabase(options)
  const counts = new Map<string, number>()
  const tenants: SharedTenant[] = []
  for (let i = 0; tenants.length < processes.length * each; i++) {
    const id = `tenant-${i}`
    const [holder] = holdersOf(id, processes, 1)
    const count = counts.get(holder) ?? 0
    if (count === each) continue
    counts.set(holder, count + 1)
    await createTenant(database, { id, name: id, host: null })
    const email = `a@${id}.example`
    const { id: userId } = await createUser(database, id, { email, name: id, role: 'admin' })
    const scopes = ROLE_SCOPES.admin
    const { key } = await issueApiKey(database, id, { name: 'test', scopes, userId, expiresAt: null })
    const { body } = await onNewConnection(service, '/api/knowledge/categories', key, { name: 'General' })
    tenants.push({ key, categoryId: body.id, holder })
  }
  await database.close()
  return tenants
}

export async function write(service: Reached, { key, categoryId }: SharedTenant, title: string): Promise<void> {
  const entry = { title, content: title, category_id: categoryId }
  const { status, body } = await onNewConnection(service, '/api/knowledge/knowledge-entries', key, entry)
  assert.equal(status, 201, JSON.stringify(body))
}

/** Returns how many entries a search finds. */
export async function countHits(service: Reached, { key }: SharedTenant, query: string): Promise<number> {
  const search = { query, mode: 'keyword', limit: 100 }
  const { status, body } = await onNewConnection(service, '/api/knowledge/knowledge-entries/search', key, search)
  assert.equal(status, 200, JSON.stringify(body))
  return body.length
}

/** Returns how many indexes each process of the service holds. */
export async function indexesOf({ url }: Reached): Promise<number[]> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return [...metrics.matchAll(/^search_index_indexes(?:\{process="\d"\})? (\d+)$/gm)].map(([, count]) => Number(count))
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
