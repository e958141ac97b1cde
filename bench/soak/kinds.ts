import { setTimeout as sleep } from 'node:timers/promises'
import type { Accounts } from '../../test/trials/accounts.ts'
import { type BenchEntry, makeCorpus } from '../search-corpus.ts'
import { madeUpProducts } from '../support/made-up-products.ts'
import { type SoakRequest, Failed, PATIENCE_MS, type Reply } from './balancer.ts'
import { ADMINISTRATOR } from './installation.ts'
import type { Ledger } from './ledger.ts'
import type { Kind, Send } from './load.ts'

const API = '/api/knowledge'
const QUERIES = 500
const PRODUCTS = 2_000
const LINES_OF_A_PUSH = 50
const LINES_OF_AN_IMPORT = 500
const FIRST_SEARCHES = 10
const REFUSED_MS = 1_000
const CREATE_SHARE = 0.4
const REMOVE_SHARE = 0.2

type Request = Pick<SoakRequest, 'method' | 'path' | 'isRepeatable'> & { readonly body?: unknown }

/** Sends the requests of the soak's clients. */
export class Clients {
  readonly headers: Readonly<Record<string, string>>
  readonly #ledger: Ledger
  readonly #random: () => number
  readonly #corpus: ReturnType<typeof makeCorpus>
  readonly #products = madeUpProducts(PRODUCTS)
  /** Ids of entries that no client changes, for reads. */
  #ids: readonly string[] = []
  #category = ''

  constructor(key: string, ledger: Ledger, random: () => number, entries: number) {
    this.headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    this.#ledger = ledger
    this.#random = random
    this.#corpus = makeCorpus(entries, QUERIES)
  }

  /** Imports the entries for searches, and waits until they have their vectors and searches find them. */
  async fill(send: Send): Promise<void> {
    const named = { method: 'POST', path: `${API}/categories`, body: { name: 'Soak' }, isRepeatable: false }
    this.#category = (JSON.parse((await this.#ask(send, named, [201])).text) as { id: string }).id
    const ids: string[] = []
    const { entries } = this.#corpus
    for (let from = 0; from < entries.length; from += LINES_OF_AN_IMPORT) {
      const lines = entries.slice(from, from + LINES_OF_AN_IMPORT).map((entry) => this.#entryOf(entry))
      ids.push(...(await this.#lines(send, `${API}/knowledge-entries/bulk`, lines)).map(({ id }) => id as string))
    }
    this.#ids = ids
    const statusRequest = { method: 'GET', path: `${API}/embedding-status`, isRepeatable: true }
    for (let isPending = true; isPending;) {
      const status = JSON.parse((await this.#ask(send, statusRequest, [200])).text) as {
        items: number
        embedded: number
      }
      isPending = status.embedded < status.items
      if (isPending) await sleep(500)
    }
    // Both processes build their index.
    for (let i = 0; i < FIRST_SEARCHES; i++) await this.#assist(send)
  }

  get kinds(): readonly Kind[] {
    return [
      { name: 'hybrid search', share: 35, run: (send) => this.#search(send, 'hybrid') },
      { name: 'keyword search', share: 20, run: (send) => this.#search(send, 'keyword') },
      { name: 'read', share: 23, run: (send) => this.#read(send) },
      { name: 'write', share: 14, run: (send) => this.#write(send) },
      { name: 'push of products', share: 1, run: (send) => this.#push(send) },
      { name: 'assistant', share: 6, run: (send) => this.#assist(send) },
      { name: 'sign-in', share: 1, run: (send) => this.#signIn(send) },
    ]
  }

  async #search(send: Send, mode: string): Promise<void> {
    const path = `${API}/knowledge-entries/search`
    await this.#ask(send, { method: 'POST', path, body: { query: this.#query(), mode }, isRepeatable: true }, [200])
  }

  async #read(send: Send): Promise<void> {
    const path = `${API}/knowledge-entries/${this.#any(this.#ids)}`
    await this.#ask(send, { method: 'GET', path, isRepeatable: true }, [200])
  }

  /** Creates, changes or removes one entry. */
  async #write(send: Send): Promise<void> {
    const accounts = this.#ledger.entries
    const path = `${API}/knowledge-entries`
    const subject = this.#random() < CREATE_SHARE ? null : accounts.take(this.#random)
    if (subject === null) {
      const name = accounts.newName()
      const entry = { ...this.#entryOf(this.#any(this.#corpus.entries), accounts.begin(name)), title: name }
      const { text } = await this.#ask(send, { method: 'POST', path, body: entry, isRepeatable: false }, [201])
      return accounts.done(name, (JSON.parse(text) as { id: string }).id)
    }
    const one = `${path}/${subject.id}`
    const isRemoval = this.#random() < REMOVE_SHARE
    const mark = accounts.begin(subject.name, isRemoval)
    if (isRemoval) await this.#ask(send, { method: 'DELETE', path: one, isRepeatable: false }, [204])
    else {
      const { content } = this.#entryOf(this.#any(this.#corpus.entries), mark)
      await this.#ask(send, { method: 'PATCH', path: one, body: { content }, isRepeatable: false }, [200])
    }
    accounts.done(subject.name, subject.id)
  }

  /** Sends new and changed products of a catalogue, each acknowledged on its own, and refused lines once more. */
  async #push(send: Send): Promise<void> {
    const accounts = this.#ledger.products
    let lines: object[] = []
    for (let i = 0; i < LINES_OF_A_PUSH; i++) {
      const name = this.#productName(accounts)
      if (name === null) continue
      const product = this.#any(this.#products)
      const description = `${product.description as string} ${accounts.begin(name)}`
      lines.push({ ...product, external_id: name, description })
    }
    if (lines.length === 0) return
    const path = `${API}/products/bulk?site_id=default&sync=delta`
    for (const untilMs = performance.now() + PATIENCE_MS; ;) {
      const answers = await this.#lines(send, path, lines)
      const refused: object[] = []
      for (const { line, status, id, external_id: name, detail } of answers) {
        if (typeof id === 'string') accounts.done(name as string, id)
        else if (isUnavailable(detail)) refused.push(lines[(line as number) - 1])
        else if (status !== 'finished') throw new Failed(`a line has the status ${status as string}`)
      }
      if (refused.length === 0) return
      if (performance.now() > untilMs) throw new Failed(`lines refused for ${PATIENCE_MS / 1_000} s`)
      lines = refused
      await sleep(REFUSED_MS)
    }
  }

  #productName(accounts: Accounts): string | null {
    const isFull = accounts.size >= PRODUCTS
    if (isFull || this.#random() < 0.5) return accounts.take(this.#random)?.name ?? (isFull ? null : accounts.newName())
    return accounts.newName()
  }

  /** Searches over MCP like an assistant, and repeats the search when the service says to try again. */
  async #assist(send: Send): Promise<void> {
    const params = { name: 'search_knowledge', arguments: { query: this.#query(), limit: 3 } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    for (const untilMs = performance.now() + PATIENCE_MS; ;) {
      const { text } = await this.#ask(send, { method: 'POST', path: '/mcp', body, isRepeatable: true }, [200])
      if (text.includes('"structuredContent"')) return
      const seconds = Number(/Try again in (\d+) s/.exec(text)?.[1])
      if (Number.isNaN(seconds)) throw new Failed(`an assistant is told ${text.slice(0, 300)}`)
      if (performance.now() > untilMs) throw new Failed(`told to try again for ${PATIENCE_MS / 1_000} s`)
      await sleep(seconds * 1_000)
    }
  }

  async #signIn(send: Send): Promise<void> {
    const { email, password } = ADMINISTRATOR
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
    const body = JSON.stringify({ email, password })
    const { status } = await send({ method: 'POST', path: '/api/session', headers, body, isRepeatable: true })
    if (status !== 200) throw new Failed(`answered ${status}`)
  }

  async #ask(send: Send, { body, ...statusRequest }: Request, statuses: readonly number[]): Promise<Reply> {
    const accept = statusRequest.path === '/mcp' ? 'application/json, text/event-stream' : 'application/json'
    const headers = { ...this.headers, accept }
    const reply = await send({ ...statusRequest, headers, body: body === undefined ? undefined : JSON.stringify(body) })
    if (!statuses.includes(reply.status)) throw new Failed(`answered ${reply.status}`)
    return reply
  }

  async #lines(send: Send, path: string, lines: readonly object[]): Promise<Record<string, unknown>[]> {
    const headers = { ...this.headers, 'content-type': 'application/x-ndjson' }
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const { status, text } = await send({ method: 'POST', path, headers, body, isRepeatable: false })
    if (status !== 200) throw new Failed(`answered ${status}`)
    const answers = text.trimEnd().split('\n')
    return answers.map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  /**
   * Returns an entry as a request sends it.
   * @param mark ends the content, when there is one
   */
  #entryOf({ title, content, language, layer, tags }: BenchEntry, mark?: number) {
    const marked = mark === undefined ? content : `${content} ${mark}`
    return { title, content: marked, language, layer, tags, category_id: this.#category }
  }

  #query(): string {
    return this.#any(this.#corpus.queries)
  }

  #any<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)]
  }
}

/** Tells whether a line was refused because the database is away; nothing of it was stored. */
function isUnavailable(detail: unknown): boolean {
  return Array.isArray(detail) && (detail as { type: string }[])[0]?.type === 'unavailable'
}
