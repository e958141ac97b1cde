import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Dispatcher } from 'undici'
import { ApiClient } from '../support/api-client.ts'
import { randomSource } from '../support/random.ts'

/** The service and the abuser's tenant. */
export interface Target {
  readonly url: string
  readonly tenant: string
  readonly adminKey: string
  readonly editorKey: string
  /** The tenant's database, for data that HTTP cannot store in a reasonable time. */
  readonly place: { readonly dataDir: string; readonly databaseUrl: string | null }
  /** Whether to store less, for a quick look. */
  readonly isQuick: boolean
}

export interface AbuseRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** API key of the request; null sends none, and the default is the editor's key. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Body of the request; an object is sent as JSON. */
  readonly body?: object | string | Buffer
}

/** Milliseconds after which an answer counts as lost. */
const PATIENCE_MS = 120_000
const QUICK_SHARE = 0.2

/** The tools of the abusive tenant. Loads check `isOver` themselves and go on until their time is over. */
export class Abuser {
  readonly target: Target
  /** Uses the administrator's key, to store data in advance. */
  readonly api: ApiClient
  readonly random = randomSource(11)
  readonly #statuses = new Map<string, number>()
  readonly #clients = new Set<Client>()
  readonly #sockets = new Set<Socket>()
  #leastUntil = 0
  #mostUntil = 0

  constructor(target: Target) {
    this.target = target
    this.api = new ApiClient(target.url, target.adminKey, 8)
  }

  /** Returns how many items to store, fewer in a quick run. */
  size(count: number): number {
    return this.target.isQuick ? Math.ceil(count * QUICK_SHARE) : count
  }

  /**
   * Sets when loads end.
   * @param leastMs how long an open-ended load runs
   * @param mostMs when every load is cut off
   */
  begin(leastMs: number, mostMs: number): void {
    this.#statuses.clear()
    this.#leastUntil = performance.now() + leastMs
    this.#mostUntil = performance.now() + mostMs
  }

  /** Lets an open-ended load that starts now run for a time of its own. */
  extend(leastMs: number): void {
    this.#leastUntil = Math.min(performance.now() + leastMs, this.#mostUntil)
  }

  /** Whether an open-ended load should stop. */
  get isOver(): boolean {
    return performance.now() >= this.#leastUntil || this.isCutOff
  }

  /** Whether everything should stop. */
  get isCutOff(): boolean {
    return performance.now() >= this.#mostUntil
  }

  /** Answers so far by status, failures by their code. */
  get statuses(): Record<string, number> {
    return Object.fromEntries([...this.#statuses].toSorted(([one], [other]) => (one < other ? -1 : 1)))
  }

  count(status: string | number): void {
    this.#statuses.set(String(status), (this.#statuses.get(String(status)) ?? 0) + 1)
  }

  /** Opens a connection from its own address, so that limits per address do not also count against the neighbour. */
  client(from = '127.0.0.2'): Client {
    const client = new Client(this.target.url, {
      localAddress: from,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
    })
    this.#clients.add(client)
    return client
  }

  /** Sends one request, discards the answer and counts its status. @returns the status, 0 if there was no answer */
  async send(client: Client, request: AbuseRequest): Promise<number> {
    try {
      const { statusCode, body } = await client.request(this.#options(request))
      await body.dump({ limit: Number.MAX_SAFE_INTEGER })
      this.count(statusCode)
      return statusCode
    } catch (error) {
      if (!this.isCutOff || !client.destroyed) this.count(codeOf(error))
      // Without a pause, this process would retry refused connections as fast as it can.
      await sleep(50)
      return 0
    }
  }

  /** Sends one request like `send`, and returns the answer. @throws Error if it is not a success */
  async ask(client: Client, request: AbuseRequest): Promise<unknown> {
    const { statusCode, body } = await client.request(this.#options(request))
    const text = await body.text()
    this.count(statusCode)
    if (statusCode >= 300) throw new Error(`${request.path} answered ${statusCode}: ${text.slice(0, 500)}`)
    return text === '' ? null : (JSON.parse(text) as unknown)
  }

  /** Opens connections that each send the next request as soon as the last was answered. */
  async flood(connections: number, requestOf: (n: number) => AbuseRequest): Promise<void> {
    let n = 0
    const work = async (): Promise<void> => {
      const client = this.client()
      while (!this.isOver) await this.send(client, requestOf(n++))
      await client.destroy()
    }
    await Promise.all(Array.from({ length: connections }, work))
  }

  /** Runs `work` once for every item, over a number of connections. */
  async each<T>(items: readonly T[], connections: number, work: (client: Client, item: T) => Promise<unknown>) {
    let next = 0
    const run = async (): Promise<void> => {
      const client = this.client()
      while (next < items.length && !this.isCutOff) await work(client, items[next++])
      await client.destroy()
    }
    await Promise.all(Array.from({ length: connections }, run))
  }

  /** Opens a bare connection, for bytes that no HTTP client sends. Its end does not count as a failure. */
  socket(from = '127.0.0.2'): Socket {
    const { hostname, port } = new URL(this.target.url)
    const socket = connect({ host: hostname, port: Number(port), localAddress: from })
    socket.on('error', (error) => this.count(codeOf(error)))
    this.#sockets.add(socket)
    return socket
  }

  /** Returns the bytes of a request with the editor's key. */
  bytesOf({ method = 'GET', path, body, ...request }: AbuseRequest): string {
    const content = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { ...this.#headers({ path, body, ...request }), host: new URL(this.target.url).host }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const length = content === '' ? '' : `content-length: ${Buffer.byteLength(content)}\r\n`
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${content}`
  }

  /** Sends a request and reads only enough of the answer to see its status; the connection stays open. */
  unread(bytes: string): Socket {
    const socket = this.socket()
    socket.once('readable', () => {
      const piece = socket.read() as Buffer | null
      const status = /^HTTP\/1\.1 (\d+)/.exec(piece?.subarray(0, 20).toString() ?? '')?.[1]
      if (status !== undefined) this.count(status)
    })
    socket.write(bytes)
    return socket
  }

  /** Keeps a number of connections open without reading until the time is over; replaces those that are closed. */
  async unreadFlood(connections: number, request: AbuseRequest): Promise<void> {
    const bytes = this.bytesOf(request)
    const open = async (): Promise<void> => {
      while (!this.isOver) {
        const socket = this.unread(bytes)
        while (!socket.destroyed && !this.isOver) await sleep(100)
        socket.destroy()
        if (!this.isOver) await sleep(50)
      }
    }
    await Promise.all(Array.from({ length: connections }, open))
  }

  /** Closes all connections of the abuse. */
  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
    const clients = [...this.#clients]
    this.#clients.clear()
    await Promise.all(clients.map((client) => client.destroy()))
  }

  /** Returns a made-up word that almost never occurs twice. */
  word(): string {
    let word = ''
    for (let i = 0; i < 8; i++) word += String.fromCharCode(97 + Math.floor(this.random() * 26))
    return word
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ')
  }

  /** Stores entries over the bulk route, `perImport` at a time on a few connections. @returns their ids */
  async store(entries: Iterable<object>, perImport = 500): Promise<string[]> {
    const ids: string[] = []
    const source = entries[Symbol.iterator]()
    const take = (): object[] => {
      const some: object[] = []
      for (let next = source.next(); next.done !== true; next = source.next()) {
        some.push(next.value)
        if (some.length >= perImport) break
      }
      return some
    }
    const work = async (): Promise<void> => {
      for (let some = take(); some.length > 0 && !this.isCutOff; some = take()) {
        ids.push(...(await this.api.importEntries(some)))
      }
    }
    await Promise.all(Array.from({ length: 4 }, work))
    return ids
  }

  #options(request: AbuseRequest): Dispatcher.RequestOptions {
    const { method = 'GET', path, body } = request
    const isPlain = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    return { method, path, headers: this.#headers(request), body: isPlain ? (body ?? null) : JSON.stringify(body) }
  }

  #headers({ key = this.target.editorKey, body, headers }: AbuseRequest): Record<string, string> {
    return {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    }
  }
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? message ?? 'failed'
}

/** Makes `count` items, one after another, from the numbers 0 upwards. */
export function* times<T>(count: number, make: (n: number) => T): Generator<T> {
  for (let n = 0; n < count; n++) yield make(n)
}
