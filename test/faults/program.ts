import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { DatabaseOptions } from '../../src/platform/database/database.ts'
import { FRESH_WAIT_MS, INDEX_WAIT_SECONDS, MAIN, SURROUNDINGS } from '../support/program.ts'
import { HANG_MS } from '../support/patience.ts'

/** The real program with the command `serve`, and its output. It may fail to start. */
export class Program {
  readonly child: ChildProcess
  output = ''
  /** Resolves when the program has ended and its output is read; `exit` comes before the last lines. */
  readonly #closed: Promise<unknown>
  #onOutput: () => void = () => undefined

  /**
   * @param uid the user it runs as; only root can choose another
   * @param port 0 takes a free one
   * @param settings more settings, as environment variables
   */
  constructor(
    { dataDir, databaseUrl }: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>,
    uid?: number,
    port = 0,
    settings: Readonly<Record<string, string>> = {},
  ) {
    this.child = spawn(process.execPath, [MAIN, 'serve'], {
      env: {
        ...SURROUNDINGS,
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl ?? '',
        STOP_DELAY_SECONDS: '0',
        SEARCH_WAIT_SECONDS: INDEX_WAIT_SECONDS,
        SEARCH_FRESH_WAIT_MS: FRESH_WAIT_MS,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      uid,
      gid: uid,
    })
    this.#closed = once(this.child, 'close')
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
        this.#onOutput()
      })
    }
  }

  /** Resolves with the first match in the program's output. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
    const fail = (why: string) => () => reject(new Error(`${why} ${pattern}:\n${this.output}`))
    const late = setTimeout(fail('did not say in time'), HANG_MS)
    const ended = fail('ended without saying')
    this.child.once('close', ended)
    this.#onOutput = () => {
      const match = pattern.exec(this.output)
      if (match !== null) resolve(match)
    }
    this.#onOutput()
    try {
      return await promise
    } finally {
      clearTimeout(late)
      this.child.off('close', ended)
    }
  }

  /** Resolves when the program serves. */
  async ready(): Promise<{ url: string; key: string | null }> {
    const [, url] = await this.says(/ready at (http:\S+)[^]*curl/)
    return { url, key: /shown only once: (ks_\w+)/.exec(this.output)?.[1] ?? null }
  }

  /** Resolves with the exit code when the program has ended. */
  async ended(): Promise<number | null> {
    const late = setTimeout(() => this.child.kill('SIGKILL'), HANG_MS)
    await this.#closed
    clearTimeout(late)
    return this.child.exitCode
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGTERM')
    return this.ended()
  }
}
