import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestDatabase } from '../support/databases.ts'
import { FRESH_WAIT_MS, INDEX_WAIT_SECONDS, MAIN, SURROUNDINGS } from '../support/program.ts'
import { send } from '../support/send.ts'
import type { Answer, Call } from '../support/service.ts'
import { HANG_MS } from '../support/patience.ts'

const READY = /ready at (http:\/\/\S+)/

/** Key of the first user in every database that a `ServiceProcess` sets up. */
export const ADMIN_KEY = `ks_${'0123456789'.repeat(4)}`

/** The service as a process of its own, as operators run it; tests can kill it. */
export class ServiceProcess {
  readonly url: string
  readonly child: ChildProcess
  readonly #output: string[]
  /** Resolves when the process has ended and its output is read; `exit` comes before the last lines. */
  readonly #closed: Promise<unknown>

  private constructor(child: ChildProcess, url: string, output: string[], closed: Promise<unknown>) {
    this.child = child
    this.url = url
    this.#output = output
    this.#closed = closed
  }

  /** Resolves when the service says that it is ready. @param main the module to run; by default that of the program */
  static async start(
    { options }: Pick<TestDatabase, 'options'>,
    settings: Readonly<Record<string, string>> = {},
    main = MAIN,
  ): Promise<ServiceProcess> {
    const { HOME, TMPDIR } = process.env
    const database = options.databaseUrl === null ? {} : { DATABASE_URL: options.databaseUrl }
    const own = {
      PORT: '0',
      DATA_DIR: options.dataDir,
      LOG_LEVEL: 'warn',
      BOOTSTRAP_API_KEY: ADMIN_KEY,
      STOP_DELAY_SECONDS: '0',
      SEARCH_WAIT_SECONDS: INDEX_WAIT_SECONDS,
      SEARCH_FRESH_WAIT_MS: FRESH_WAIT_MS,
    }
    const child = spawn(process.execPath, [main, 'serve'], {
      env: { ...SURROUNDINGS, HOME, TMPDIR, ...own, ...database, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const closed = once(child, 'close')
    const output: string[] = []
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const onOutput = (chunk: Buffer): void => {
      output.push(chunk.toString('utf8'))
      const url = READY.exec(output.join(''))?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onOutput)
    child.once('close', () => reject(new Error(`the service did not start:\n${output.join('')}`)))
    const late = setTimeout(() => reject(new Error(`not ready in time:\n${output.join('')}`)), HANG_MS)
    try {
      return new ServiceProcess(child, await promise, output, closed)
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  /** Everything that the process wrote to standard output and standard error. */
  get output(): string {
    return this.#output.join('')
  }

  /** Rejects when the connection breaks, for example because the process is killed. */
  async call(
    method: string,
    path: string,
    { key = ADMIN_KEY, body, headers = {} }: Call = {},
    signal?: AbortSignal,
  ): Promise<Answer> {
    const isText = typeof body === 'string'
    const {
      status,
      headers: received,
      text,
    } = await send(this.url + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': isText ? 'application/x-ndjson' : 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : isText ? body : JSON.stringify(body),
      signal,
    })
    const isJson = received.get('content-type')?.startsWith('application/json') ?? false
    return { status, headers: received, body: isJson ? JSON.parse(text) : text }
  }

  /** Ends the process at once, by `kill -9`. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Asks the process to stop. @returns its exit code; null after a signal, also the one that ends a process that hangs */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<{ code: number | null }> {
    const late = setTimeout(() => this.child.kill('SIGKILL'), HANG_MS)
    await this.#end(signal)
    clearTimeout(late)
    return { code: this.child.exitCode }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal)
    await this.#closed
  }
}
