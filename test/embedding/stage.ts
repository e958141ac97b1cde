import assert from 'node:assert/strict'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { type Service, startService } from '../../src/server.ts'
import type { DatabaseKind, TestDatabase } from '../support/databases.ts'
import { CHEAPEST } from '../support/passwords.ts'
import { type Answer, testConfig } from '../support/service.ts'
import { ADMIN_KEY } from '../durability/service-process.ts'
import { found } from '../support/patience.ts'

export const ENTRIES = '/api/knowledge/knowledge-entries'

export interface Hit {
  readonly entry: { readonly id: string; readonly title: string; readonly content: string }
  readonly similarity: number
}

/** One database for services that start and stop with different settings. */
export class Stage {
  readonly place: TestDatabase
  readonly database: Database
  #services: Service[] = []
  category = ''

  private constructor(place: TestDatabase) {
    this.place = place
    this.database = openDatabase(place.options)
  }

  static async open(kind: DatabaseKind): Promise<Stage> {
    return new Stage(await kind.create())
  }

  async start(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
    const service = await startService(
      testConfig(this.place, { ...settings, BOOTSTRAP_API_KEY: ADMIN_KEY }),
      undefined,
      { passwordCost: CHEAPEST },
    )
    this.#services.push(service)
    if (this.category === '') this.category = await this.newCategory(service)
    return service
  }

  async stop(service: Service): Promise<void> {
    this.#services = this.#services.filter((other) => other !== service)
    await service.stop()
  }

  async close(): Promise<void> {
    for (const service of this.#services) await service.stop()
    await this.database.close()
    await this.place.remove()
  }

  async newCategory(service: Pick<Service, 'url'>, key = ADMIN_KEY): Promise<string> {
    return (await call(service, 'POST', '/api/knowledge/categories', { name: 'One' }, key)).body.id
  }

  async create(service: Pick<Service, 'url'>, title: string, content: string): Promise<string> {
    const answer = await call(service, 'POST', ENTRIES, { title, content, category_id: this.category })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.id
  }

  /** Imports `count` entries in one call. */
  async import(
    service: Pick<Service, 'url'>,
    count: number,
    { key = ADMIN_KEY, category = this.category, name = 'Entry' } = {},
  ): Promise<void> {
    const lines = Array.from({ length: count }, (_, i) =>
      JSON.stringify({ title: `${name} ${i}`, content: `${name} number ${i} of them all`, category_id: category }),
    )
    const answer = await call(service, 'POST', `${ENTRIES}/bulk`, lines.join('\n'), key)
    assert.equal(answer.status, 200)
    assert.equal((answer.body as string).match(/"created"/g)?.length, count)
  }
}

export async function call(
  { url }: Pick<Service, 'url'>,
  method: string,
  path: string,
  body?: unknown,
  key = ADMIN_KEY,
): Promise<Answer> {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
    body: typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export function search(service: Pick<Service, 'url'>, query: string, mode: string, key = ADMIN_KEY): Promise<Answer> {
  return call(service, 'POST', `${ENTRIES}/search`, { query, mode }, key)
}

interface Status {
  readonly model: string | null
  readonly target_model: string
  readonly items: number
  readonly embedded: number
  readonly pending: number
  readonly failing: number
  readonly last_error: string | null
}

export async function status(service: Pick<Service, 'url'>, key = ADMIN_KEY): Promise<Status> {
  return (await call(service, 'GET', '/api/knowledge/embedding-status', undefined, key)).body
}

/** Polls the tenant's embedding status until it is as `isReached` asks. */
export async function reached(
  service: Pick<Service, 'url'>,
  isReached: (status: Status) => boolean,
  key = ADMIN_KEY,
): Promise<Status> {
  let last = ''
  return found(
    async () => {
      const now = await status(service, key)
      last = JSON.stringify(now)
      return isReached(now) ? now : null
    },
    () => `the status is as wanted: ${last}`,
  )
}
