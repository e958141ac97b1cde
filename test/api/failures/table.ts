import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OpenApiDocument } from '../../../src/platform/reference/openapi.ts'
import { type DatabaseKind, onAnyDatabase } from '../../support/databases.ts'
import type { Answer, TestService } from '../../support/service.ts'
import { joinService } from '../../support/shared-service.ts'
import { rememberRows } from '../../isolation/tables.ts'
import { gapsOf } from './declared.ts'

/** An id that nothing has. */
export const UNKNOWN = '00000000-0000-7000-8000-000000000000'

/** The parts of a request. Without a key it is the administrator's; a parameter of the path is the seed's. */
export interface Ask {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** API key of the request; null sends none. */
  readonly key?: string | null
  /** Address of another service than the suite's. */
  readonly base?: string
  /** Sends the request, where that needs more than one of it or a moment of its own. @returns the answer that counts */
  readonly by?: (send: () => Promise<Answer>) => Promise<Answer>
}

type AskSource<Seed> = Ask | ((seed: Seed) => Ask | Promise<Ask>)

/**
 * Requests that provoke each fault, by the fault and by the reason:
 * `{ '409 conflict at body.slug': { 'a slug that is taken': … } }`.
 * A fault is its status, its type and the place of the request that it names, if any; a comma separates several.
 */
export type FailureRows<Seed = object> = Readonly<Record<string, Readonly<Record<string, AskSource<Seed>>>>>

/** Failures of an operation. */
export interface OperationFailures<Seed = object> {
  /** Request of all of the operation's rows, as far as a row does not say otherwise. */
  readonly asks?: AskSource<Seed>
  readonly fails: FailureRows<Seed>
}

interface Resource<Seed extends object> {
  /**
   * Makes the things that the rows ask about, in a tenant of its own. Ids have the names of the parameters that they
   * stand for.
   */
  readonly seed: (service: TestService) => Promise<Seed>
  /** Failures by the name of the operation: `getEntry GET /api/knowledge/knowledge-entries/{entry_id}`. */
  readonly table: Readonly<Record<string, OperationFailures<Seed>>>
  /** Whether some rows change something before they ask, so that the tenant is another one afterwards. */
  readonly isChanging?: true
  /** Starts a service of its own, for a resource that limits the clients of one address. */
  readonly start?: (kind: DatabaseKind) => Promise<TestService>
}

/**
 * Declares the failures of a resource: a test for each row, and one that fails where an operation of the resource
 * declares a failure without a row.
 * @param tag of the resource in the OpenAPI document
 */
export function failures<Seed extends object>(
  tag: string,
  { seed, table, isChanging, start = joinService }: Resource<Seed>,
): void {
  onAnyDatabase(`failures of ${tag}`, (kind) => {
    let service: TestService
    let world: Seed
    let assertSame: (() => Promise<void>) | null = null
    before(async () => {
      service = await start(kind)
      world = await seed(service)
      if (!isChanging) assertSame = await rememberRows(service.database, service.tenantId)
    })
    after(() => service.stop())

    for (const [route, { asks, fails }] of Object.entries(table)) {
      const [operationId, method, path] = route.split(' ')
      for (const { fault, why, row } of rowsOf(fails)) {
        test(`${operationId} answers ${fault}: ${why}`, async () => {
          const { by = (send) => send(), ...ask } = join(await partsOf(asks, world), await partsOf(row, world))
          const answer = await by(() => service.call(method, addressOf(path, ask, world), ask, ask.base))
          assert.equal(said(answer).join(', '), fault)
          assert.ok(answer.status !== 429 || answer.headers.has('retry-after'), 'says when to try again')
        })
      }
    }

    if (!isChanging) test('a refusal changes nothing in the tenant', () => assertSame!())

    test(`each failure that operations of ${tag} declare has a row`, () => {
      const faults = Object.entries(table).map(([route, { fails }]) => [route, Object.keys(fails)] as const)
      assert.deepEqual(gapsOf(documentOf(service), tag, new Map(faults)), [])
    })
  })
}

export function documentOf({ service }: TestService): OpenApiDocument {
  return JSON.parse(service.app.documentation.json()) as OpenApiDocument
}

/** Each fault of a refusal as a row writes it; the whole answer where it is no refusal. */
export function said({ status, body }: Answer): string[] {
  const detail = (body as { detail?: { loc: string[]; type: string }[] } | null)?.detail
  if (detail === undefined) return [`${status} ${JSON.stringify(body)}`]
  return detail.map(({ loc, type }) => `${status} ${type}${loc.length === 0 ? '' : ` at ${loc.join('.')}`}`)
}

/** Creates something for a seed. @returns its id */
export async function create(service: TestService, path: string, body: object, key?: string): Promise<string> {
  const answer = await service.call('POST', `/api/knowledge/${path}`, { key, body })
  assert.ok(answer.status < 300, `${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.id as string
}

/** @param name of a parameter of the path, such as `entry_id` */
export function noSuch(name: string): FailureRows {
  const noun = name.replace(/_id$/, '').replaceAll('_', ' ')
  return { [`404 not_found at path.${name}`]: { [`a ${noun} that does not exist`]: { path: { [name]: UNKNOWN } } } }
}

/** Failures of a write that names the state it is meant for. */
export const OTHER_STATE: FailureRows = {
  '412 precondition_failed at header.if-match': {
    'a state that the thing is not in': { headers: { 'if-match': '"another"' } },
  },
  '422 etag_invalid at header.if-match': { 'a header that is no list of tags': { headers: { 'if-match': 'another' } } },
}

/**
 * Failures of a write where only a caller who may read may name a state. The seed's `writer` is the key of a caller who
 * may not.
 */
export const GUESSED_STATE: FailureRows<{ readonly writer: string }> = {
  ...OTHER_STATE,
  '403 forbidden at header.if-match': {
    'a state that the caller may not read': ({ writer }) => ({ key: writer, headers: { 'if-match': '"1"' } }),
  },
}

/** Number of tries, more than a caller may make at once, however long the tries take. */
const TRIES_MAX = 1_000

/**
 * Sends a request again and again until it is one too many.
 * @param between what happens between two tries
 * @returns the first answer with 429, or the last one
 */
export async function untilRefused(
  send: () => Promise<Answer>,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Answer> {
  let answer = await send()
  for (let tries = 1; answer.status !== 429 && tries < TRIES_MAX; tries++) {
    await between()
    answer = await send()
  }
  return answer
}

function rowsOf<Seed>(fails: FailureRows<Seed>) {
  return Object.entries(fails).flatMap(([fault, reasons]) =>
    Object.entries(reasons).map(([why, row]) => ({ fault, why, row })),
  )
}

function partsOf<Seed>(asks: AskSource<Seed> | undefined, seed: Seed): Ask | Promise<Ask> {
  return typeof asks === 'function' ? asks(seed) : (asks ?? {})
}

/** A row's request: what it says itself stands in for what all rows of the operation ask. */
function join(common: Ask, own: Ask): Ask {
  return {
    ...common,
    ...own,
    path: { ...common.path, ...own.path },
    query: { ...common.query, ...own.query },
    headers: { ...common.headers, ...own.headers },
  }
}

function addressOf(path: string, { path: own, query = {} }: Ask, seed: object): string {
  const values: Readonly<Record<string, unknown>> = { ...seed, ...own }
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    assert.equal(typeof values[name], 'string', `neither the seed nor the row has ${name} of ${path}`)
    return encodeURIComponent(values[name] as string)
  })
  const search = new URLSearchParams(query).toString()
  return search === '' ? address : `${address}?${search}`
}
