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

type Asked =
  | { readonly upsert: number }
  | { readonly update: number; readonly id: string; readonly version: number }
  | { readonly remove: string; readonly version: number | null }
  | { readonly read: string }

interface Told {
  /** Status of HTTP, or that of the line of a bulk. */
  readonly status: number | string
  readonly id?: string
  readonly version?: number
  readonly mark?: number
}

type Done = Operation<Asked, Told>

/** Calls on the same entries by clients of several processes at once, judged as one history for each entry. */
export class Histories implements Trial {
  readonly #site: Site
  readonly #journal: Journal
  #place: TestDatabase | null = null
  #services: ServiceProcess[] = []
  #category = ''
  #histories = 0
  readonly #told = new Map<string, number>()

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
      for (const { asked, told } of done) this.#count(asked, told)
      this.#histories++
      if (isLinearizable<Entry, Asked, Told>(done, null, entryAfter)) continue
      for (const operation of done.toSorted((a, b) => a.calledAtMs - b.calledAtMs))
        this.#journal.note({ reference, ...operation })
      assert.fail(`what was told of ${reference} fits no order; it is in ${this.#journal.path}`)
    }
  }

  get figures(): string {
    const told = [...this.#told].toSorted().map(([what, times]) => `${times} × ${what}`)
    return `${this.#histories} histories of entries over ${PROCESSES} processes, all linearizable (${told.join(', ')})`
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

  #count(asked: Asked, told: Told | null): void {
    const what = `${Object.keys(asked)[0]} ${told?.status ?? 'unanswered'}`
    this.#told.set(what, (this.#told.get(what) ?? 0) + 1)
  }
}

/** Calls on the entry of one source reference. */
class History {
  readonly reference: string
  readonly done: Done[] = []
  /** Last state that a client was told; it may be over. */
  #known: { readonly id: string; readonly version: number } | null = null
  #marks = 0

  constructor(reference: string) {
    this.reference = reference
  }

  async call(client: Client, random: () => number): Promise<void> {
    const asked = this.#choose(random)
    const calledAtMs = performance.now()
    const told = await tell(client, this.reference, asked).catch((error: unknown) => {
      if (error instanceof Unanswered) return null
      throw error
    })
    this.done.push({ asked, told, calledAtMs, toldAtMs: performance.now() })
    if (told?.id !== undefined) this.#known = { id: told.id, version: told.version ?? 1 }
  }

  #choose(random: () => number): Asked {
    const chance = random()
    if (this.#known === null || chance < 0.25) return { upsert: ++this.#marks }
    const { id, version } = this.#known
    if (chance < 0.6) return { update: ++this.#marks, id, version }
    if (chance < 0.75) return { remove: id, version: random() < 0.5 ? version : null }
    return { read: id }
  }
}

/** Sends one request, and returns what the answer tells. */
async function tell(client: Client, reference: string, asked: Asked): Promise<Told> {
  const content = (mark: number): string => `Said in ${mark}`
  if ('upsert' in asked) {
    const entry = { title: reference, content: content(asked.upsert), source_reference: reference, language: 'en' }
    const told: Told[] = []
    await client.lines(`${ENTRIES}/bulk`, [{ ...entry, category_id: client.category }], ({ status, id }) => {
      if (UPSERTED.has(status as string)) told.push({ status: status as string, id: id as string })
      else assert.equal(status, 'failed')
    })
    if (told.length === 0) throw new Unanswered('no line')
    return told[0]
  }
  if ('update' in asked) {
    const sent = { body: { content: content(asked.update) }, headers: { 'if-match': `"${asked.version}"` } }
    const { status, body } = await client.call('PATCH', `${ENTRIES}/${asked.id}`, [200, 404, 412], sent)
    return status === 200 ? { status, id: body.id, version: body.version } : { status }
  }
  if ('remove' in asked) {
    const headers: Record<string, string> = asked.version === null ? {} : { 'if-match': `"${asked.version}"` }
    const { status } = await client.call('DELETE', `${ENTRIES}/${asked.remove}`, [204, 404, 412], { headers })
    return { status }
  }
  const { status, body } = await client.call('GET', `${ENTRIES}/${asked.read}`, [200, 404])
  if (status === 404) return { status }
  return { status, id: body.id, version: body.version, mark: Number(/\d+$/.exec(body.content)![0]) }
}

/** Returns the entry after an operation; undefined where the service would not have told that answer. */
function entryAfter(entry: Entry, asked: Asked, told: Told | null): Entry | undefined {
  if ('upsert' in asked) {
    const status = entry === null ? 'created' : entry.isBinned ? 'restored' : 'updated'
    const id = entry?.id ?? told?.id ?? UNKNOWN
    if (told !== null && (told.status !== status || (id !== UNKNOWN && told.id !== id))) return undefined
    return { id: told?.id ?? id, version: (entry?.version ?? 0) + 1, mark: asked.upsert, isBinned: false }
  }
  const id = 'update' in asked ? asked.id : 'remove' in asked ? asked.remove : asked.read
  if (entry === null || entry.isBinned || (entry.id !== id && entry.id !== UNKNOWN))
    return told === null || told.status === 404 ? entry : undefined
  if ('read' in asked) {
    const isSame = told === null || (told.version === entry.version && told.mark === entry.mark)
    return isSame ? entry : undefined
  }
  const isMeant = asked.version === null || asked.version === entry.version
  if (!isMeant) return told === null || told.status === 412 ? entry : undefined
  if ('remove' in asked) return told === null || told.status === 204 ? { ...entry, id, isBinned: true } : undefined
  const next = { id, version: entry.version + 1, mark: asked.update, isBinned: false }
  return told === null || (told.status === 200 && told.version === next.version) ? next : undefined
}
