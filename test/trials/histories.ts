import assert from 'node:assert/strict'
import { randomSource } from '../../bench/support/random.ts'
import { ADMIN_KEY, ServiceProcess } from '../durability/service-process.ts'
import type { TestDatabase } from '../support/databases.ts'
import { Client, Unanswered } from './client.ts'
import { isLinearizable, type Operation } from './linearizable.ts'
import type { Journal } from './journal.ts'
import type { Site } from './site.ts'
import type { Trial } from './trial.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PROCESSES = 3
const CLIENTS_OF_A_PROCESS = 3
const KEYS = 4
const OPERATIONS_OF_A_CLIENT = 12
/** Id of an entry whose id no client was told. */
const UNKNOWN = 'unknown'
const UPSERTED = new Set(['created', 'updated', 'restored'])

/**
 * Entry of one source reference; null before the first. A removed entry rests in the bin, from which an upsert takes
 * it.
 */
type Entry = { readonly id: string; readonly version: number; readonly mark: number; readonly isBinned: boolean } | null

type Request =
  | { readonly upsert: number }
  | { readonly update: number; readonly id: string; readonly version: number }
  | { readonly remove: string; readonly version: number | null }
  | { readonly read: string }

interface Answer {
  /** HTTP status, or for an upsert the status of the line in a bulk. */
  readonly status: number | string
  readonly id?: string
  readonly version?: number
  readonly mark?: number
}

type Done = Operation<Request, Answer>

/** Calls on the same entries by clients of several processes at once, judged as one history for each entry. */
export class Histories implements Trial {
  readonly #site: Site
  readonly #journal: Journal
  #place: TestDatabase | null = null
  #services: ServiceProcess[] = []
  #category = ''
  #histories = 0
  /** Number of answers, by request and status. */
  readonly #counts = new Map<string, number>()

  constructor(site: Site, journal: Journal) {
    this.#site = site
    this.#journal = journal
  }

  async round(seed: number): Promise<void> {
    if (this.#place === null) await this.#begin()
    const random = randomSource(seed)
    const histories = Array.from({ length: KEYS }, (_, i) => new History(`${seed}-${i}`))
    const clients = this.#services.flatMap(({ url }) =>
      Array.from({ length: CLIENTS_OF_A_PROCESS }, () => {
        const client = new Client('default', ADMIN_KEY, this.#category)
        client.url = url
        return client
      }),
    )
    await Promise.all(
      clients.map(async (client) => {
        for (let i = 0; i < OPERATIONS_OF_A_CLIENT; i++) {
          await histories[Math.floor(random() * KEYS)].call(client, random)
        }
      }),
    )
    for (const { reference, done } of histories) {
      for (const { request, answer } of done) this.#count(request, answer)
      this.#histories++
      if (isLinearizable<Entry, Request, Answer>(done, null, entryAfter)) continue
      for (const { request, answer, calledAtMs, answeredAtMs } of done.toSorted((a, b) => a.calledAtMs - b.calledAtMs))
        this.#journal.note({ reference, asked: request, told: answer, calledAtMs, toldAtMs: answeredAtMs })
      assert.fail(`what was told of ${reference} fits no order; it is in ${this.#journal.path}`)
    }
  }

  get figures(): string {
    const counts = [...this.#counts].toSorted().map(([outcome, times]) => `${times} × ${outcome}`)
    return `${this.#histories} histories of entries over ${PROCESSES} processes, all linearizable (${counts.join(', ')})`
  }

  async end(): Promise<void> {
    for (const service of this.#services) await service.kill()
    await this.#place?.remove()
    await this.#site.close()
    this.#journal.close()
  }

  async #begin(): Promise<void> {
    this.#place = await this.#site.newPlace()
    for (let i = 0; i < PROCESSES; i++) this.#services.push(await ServiceProcess.start(this.#place))
    const { body } = await this.#services[0].call('POST', '/api/knowledge/categories', { body: { name: 'Histories' } })
    this.#category = body.id
  }

  #count(request: Request, answer: Answer | null): void {
    const outcome = `${Object.keys(request)[0]} ${answer?.status ?? 'unanswered'}`
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1)
  }
}

/** Calls on the entry of one source reference. */
class History {
  readonly reference: string
  readonly done: Done[] = []
  /** Newest state that a client was told. The entry may have changed since. */
  #state: { readonly id: string; readonly version: number } | null = null
  #marks = 0

  constructor(reference: string) {
    this.reference = reference
  }

  async call(client: Client, random: () => number): Promise<void> {
    const request = this.#choose(random)
    const calledAtMs = performance.now()
    const answer = await send(client, this.reference, request).catch((error: unknown) => {
      if (error instanceof Unanswered) return null
      throw error
    })
    this.done.push({ request, answer, calledAtMs, answeredAtMs: performance.now() })
    if (answer?.id !== undefined) this.#state = { id: answer.id, version: answer.version ?? 1 }
  }

  #choose(random: () => number): Request {
    const chance = random()
    if (this.#state === null || chance < 0.25) return { upsert: ++this.#marks }
    const { id, version } = this.#state
    if (chance < 0.6) return { update: ++this.#marks, id, version }
    if (chance < 0.75) return { remove: id, version: random() < 0.5 ? version : null }
    return { read: id }
  }
}

/**
 * Sends one request.
 * @returns the fields of its answer that the history is judged by
 * @throws Unanswered when the client got no answer
 */
async function send(client: Client, reference: string, request: Request): Promise<Answer> {
  const content = (mark: number): string => `Said in ${mark}`
  if ('upsert' in request) {
    const entry = { title: reference, content: content(request.upsert), source_reference: reference, language: 'en' }
    const answers: Answer[] = []
    await client.lines(`${ENTRIES}/bulk`, [{ ...entry, category_id: client.category }], ({ status, id }) => {
      if (UPSERTED.has(status as string)) answers.push({ status: status as string, id: id as string })
      else assert.equal(status, 'failed')
    })
    if (answers.length === 0) throw new Unanswered('no line')
    return answers[0]
  }
  if ('update' in request) {
    const sent = { body: { content: content(request.update) }, headers: { 'if-match': `"${request.version}"` } }
    const { status, body } = await client.call('PATCH', `${ENTRIES}/${request.id}`, [200, 404, 412], sent)
    return status === 200 ? { status, id: body.id, version: body.version } : { status }
  }
  if ('remove' in request) {
    const headers: Record<string, string> = request.version === null ? {} : { 'if-match': `"${request.version}"` }
    const { status } = await client.call('DELETE', `${ENTRIES}/${request.remove}`, [204, 404, 412], { headers })
    return { status }
  }
  const { status, body } = await client.call('GET', `${ENTRIES}/${request.read}`, [200, 404])
  if (status === 404) return { status }
  return { status, id: body.id, version: body.version, mark: Number(/\d+$/.exec(body.content)![0]) }
}

/** Returns the entry after an operation; undefined where the service would not have given that answer. */
function entryAfter(entry: Entry, request: Request, answer: Answer | null): Entry | undefined {
  if ('upsert' in request) {
    const status = entry === null ? 'created' : entry.isBinned ? 'restored' : 'updated'
    const id = entry?.id ?? answer?.id ?? UNKNOWN
    if (answer !== null && (answer.status !== status || (id !== UNKNOWN && answer.id !== id))) return undefined
    return { id: answer?.id ?? id, version: (entry?.version ?? 0) + 1, mark: request.upsert, isBinned: false }
  }
  const id = 'update' in request ? request.id : 'remove' in request ? request.remove : request.read
  if (entry === null || entry.isBinned || (entry.id !== id && entry.id !== UNKNOWN))
    return answer === null || answer.status === 404 ? entry : undefined
  if ('read' in request) {
    const isSame = answer === null || (answer.version === entry.version && answer.mark === entry.mark)
    return isSame ? entry : undefined
  }
  const isMeant = request.version === null || request.version === entry.version
  if (!isMeant) return answer === null || answer.status === 412 ? entry : undefined
  if ('remove' in request)
    return answer === null || answer.status === 204 ? { ...entry, id, isBinned: true } : undefined
  const next = { id, version: entry.version + 1, mark: request.update, isBinned: false }
  return answer === null || (answer.status === 200 && answer.version === next.version) ? next : undefined
}
