import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { randomSource } from '../../bench/support/random.ts'
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '../../src/platform/reference/openapi.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { formOf } from '../limits/stage.ts'
import type { TestDatabase } from '../support/databases.ts'
import { DeclaredAnswers } from '../support/declared-answers.ts'
import type { Answer } from '../support/service.ts'
import { pick } from './chance.ts'
import type { Journal } from './journal.ts'
import { type Source, valueOf } from './schema-values.ts'
import type { Site } from './site.ts'
import type { Trial } from './trial.ts'

const REQUESTS_OF_A_ROUND = 500
const PARALLEL = 4
/** Number of ids that are kept of each kind, so many that late requests still meet early things. */
const IDS_MAX = 40
/** Number of rounds until caches and indexes have their size. */
const WARM_ROUNDS = 8
/** Megabytes of the heap, so few that V8 leaves no garbage beside the memory that stays. A leak ends the process. */
const HEAP_MB = 160
/** Megabytes of growth that are a leak, more than the heap's own ups and downs. */
const GROWTH_MAX_MB = 200
const HEADERS = new Set(['X-Scopes', 'X-Audit-Source', 'X-Client-Id', 'If-Match', 'Accept-Language'])

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

/** Sends sequences of requests made from the OpenAPI document, which use the ids of earlier answers. */
export class Fuzz implements Trial {
  readonly #site: Site
  readonly #journal: Journal
  #place: TestDatabase | null = null
  #service: ServiceProcess | null = null
  #document: OpenApiDocument | null = null
  #routes: readonly Route[] = []
  #declared: DeclaredAnswers | null = null
  readonly #ids = new Map<string, string[]>()
  /** Ids of the fuzzer's own access, which it would otherwise end sooner or later. */
  readonly #own = new Set<string>()
  /** Faults of answers, one for each operation and status. */
  readonly #faults = new Map<string, string>()
  readonly #statuses = new Map<string, number>()
  readonly #succeeded = new Set<string>()
  #rounds = 0
  #requests = 0
  #warmMb = 0
  #lastMb = 0

  constructor(site: Site, journal: Journal) {
    this.#site = site
    this.#journal = journal
  }

  async round(seed: number): Promise<void> {
    if (this.#service === null) await this.#begin()
    const random = randomSource(seed)
    const each = REQUESTS_OF_A_ROUND / PARALLEL
    await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        for (let i = 0; i < each; i++) await this.#request(random)
      }),
    )
    const faults = [...this.#faults.values()]
    assert.deepEqual(faults, [], `requests and answers are in ${this.#journal.path}`)
    assert.equal(this.#service!.child.exitCode, null, this.#service!.output)
    this.#rounds++
    this.#lastMb = residentMb(this.#service!.child.pid!)
    if (this.#rounds <= WARM_ROUNDS) this.#warmMb = Math.max(this.#warmMb, this.#lastMb)
    else assert.ok(this.#lastMb < this.#warmMb + GROWTH_MAX_MB, `memory grows: ${this.#warmMb} to ${this.#lastMb} MB`)
  }

  get figures(): string {
    const statuses = [...this.#statuses].toSorted().map(([status, times]) => `${times} × ${status}`)
    const answered = `${this.#succeeded.size} of ${this.#routes.length} operations succeeded at least once`
    const memory = `${this.#warmMb} MB after ${WARM_ROUNDS} rounds, ${this.#lastMb} MB at the end`
    return `${this.#requests} requests, none with 500 or an undeclared answer (${statuses.join(', ')}); ${answered}; ${memory}`
  }

  async end(): Promise<void> {
    await this.#service?.kill()
    await this.#place?.remove()
    await this.#site.close()
    this.#journal.close()
  }

  async #begin(): Promise<void> {
    this.#place = await this.#site.newPlace()
    this.#service = await ServiceProcess.start(this.#place, {
      RATE_LIMIT_OPERATOR_PER_MINUTE: '0',
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=${HEAP_MB}`,
    })
    this.#document = (await this.#service.call('GET', '/openapi.json')).body as OpenApiDocument
    this.#declared = new DeclaredAnswers(this.#document)
    this.#routes = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
    this.#ids.set('site_id', ['default'])
    for (const path of ['api-keys', 'users']) {
      const { body } = await this.#service.call('GET', `/api/knowledge/${path}`)
      for (const { id } of body as { id: string }[]) this.#own.add(id)
    }
  }

  async #request(random: () => number): Promise<void> {
    const route = pick(random, this.#routes)
    const { method, path, operation } = route
    const source = this.#sourceFor(path, random)
    const parameters = operation.parameters ?? []
    const address = this.#addressOf(path, parameters, source)
    const headers = this.#headersOf(parameters, source)
    const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
    const body = content === undefined ? undefined : valueOf(content.schema, 'body', source)
    const sent = type?.includes('form') && typeof body === 'object' && body !== null ? formOf(body) : body
    this.#requests++
    const text =
      type === undefined || type === 'application/json' || typeof sent === 'string' ? sent : `${JSON.stringify(sent)}\n`
    const withType = type === undefined ? headers : { ...headers, 'content-type': type }
    const answer = await this.#service!.call(method, address, { body: text, headers: withType })
    const what = String(answer.status)
    this.#statuses.set(what, (this.#statuses.get(what) ?? 0) + 1)
    try {
      this.#judge(route, answer)
    } catch (error) {
      this.#journal.note({ operation: operation.operationId, method, address, headers, body, told: answer.body })
      this.#faults.set(`${operation.operationId} ${what}`, (error as Error).message)
    }
    if (answer.status < 300) {
      this.#succeeded.add(operation.operationId)
      this.#learn(path, answer.body)
    }
  }

  /** Judges an answer. The document must declare its status and shape, and it must be no failure. */
  #judge({ operation, method, path }: Route, answer: Answer): void {
    assert.ok(answer.status < 500, `${method} ${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`)
    this.#declared!.judge(operation, answer, `${method} ${path}`)
  }

  #sourceFor(path: string, random: () => number): Source {
    return {
      random,
      resolve: (reference) => this.#document!.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)],
      idFor: (name) => {
        const ids = this.#ids.get(name === 'id' ? nounOf(path) : name) ?? []
        return ids.length === 0 ? null : pick(random, ids)
      },
    }
  }

  #addressOf(path: string, parameters: readonly OpenApiParameter[], source: Source): string {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const schema = parameters.find((each) => each.name === name && each.in === 'path')!.schema
      const value = source.idFor(name) ?? valueOf(schema, name, source)
      return encodeURIComponent(plain(value).toWellFormed() || '-')
    })
    const query = parameters
      .filter(({ in: place, required }) => place === 'query' && (required || source.random() < 0.3))
      .map(({ name, schema }) => `${name}=${encodeURIComponent(plain(valueOf(schema, name, source)).toWellFormed())}`)
    return query.length === 0 ? filled : `${filled}?${query.join('&')}`
  }

  #headersOf(parameters: readonly OpenApiParameter[], { random }: Source): Record<string, string> {
    // As pages of the service say it, to which alone signing in is open.
    const headers: Record<string, string> = { origin: this.#service!.url }
    for (const { name, in: place } of parameters) {
      if (place !== 'header' || !HEADERS.has(name) || random() < 0.9) continue
      headers[name.toLowerCase()] = pick(random, ['*', '"1"', 'knowledge:read visibility:public', 'de-DE, *;q=0', 'x'])
    }
    return headers
  }

  /** Keeps the ids of an answer by the names of the parameters that take them. */
  #learn(path: string, body: unknown): void {
    const items = Array.isArray(body) ? (body.slice(0, 5) as unknown[]) : [body]
    for (const item of items) {
      if (typeof item !== 'object' || item === null) continue
      for (const [name, value] of Object.entries(item)) {
        if (typeof value !== 'string' || this.#own.has(value) || (name !== 'id' && !name.endsWith('_id'))) continue
        const key = name === 'id' ? nounOf(path) : name
        const ids = this.#ids.get(key) ?? []
        if (ids.length >= IDS_MAX) ids.shift()
        if (!ids.includes(value)) this.#ids.set(key, [...ids, value])
      }
    }
  }
}

/** Returns the parameter that takes the ids of a list's items: `category_id` for `/api/knowledge/categories`. */
function nounOf(path: string): string {
  const noun = path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? ''
  const plural = noun
    .replace(/^knowledge-/, '')
    .replace(/^api-/, '')
    .replace(/^merchandising$/, 'rules')
  const last = plural.split('-').at(-1) ?? ''
  return `${last.replace(/ies$/, 'y').replace(/s$/, '')}_id`
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Returns the megabytes of a process in RAM, by Linux's /proc; 0 elsewhere, where memory is not judged. */
function residentMb(pid: number): number {
  if (process.platform !== 'linux') return 0
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1_024)
}
