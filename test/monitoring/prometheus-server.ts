import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { machinePath, skipWithout } from '../support/optional-programs.ts'
import { found, until } from '../support/patience.ts'

/** Why tests with Prometheus are skipped; false when they run. Where CI requires every test, they run and fail instead. */
export const WITHOUT_PROMETHEUS: string | false = skipWithout('prometheus')

/** Runs promtool. @throws Error with what it says, when it finds faults */
export async function promtool(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(machinePath('promtool') ?? 'promtool', args)
  return stdout
}

/** One series of an answer: its labels, and its value now. */
interface Series {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [at: number, value: string]
}

interface Rule {
  readonly name: string
  readonly health: string
  readonly lastError?: string
}

/** A real Prometheus of this machine, on a free port. */
export class PrometheusServer {
  readonly #process: ChildProcess
  readonly #url: string

  private constructor(process: ChildProcess, url: string) {
    this.#process = process
    this.#url = url
  }

  /**
   * Starts Prometheus.
   * @param dataDir folder for its data, which the caller removes
   */
  static async start(configFile: string, dataDir: string): Promise<PrometheusServer> {
    const port = await freePort()
    const flags = [`--config.file=${configFile}`, `--storage.tsdb.path=${dataDir}`]
    const child = spawn(
      machinePath('prometheus') ?? 'prometheus',
      [...flags, `--web.listen-address=127.0.0.1:${port}`],
      {
        stdio: 'ignore',
      },
    )
    const server = new PrometheusServer(child, `http://127.0.0.1:${port}`)
    await until(async () => {
      assert.equal(child.exitCode, null, 'Prometheus has ended')
      return isReady(`${server.#url}/-/ready`)
    }, 'Prometheus is ready')
    return server
  }

  /**
   * Returns the series that an expression gives now.
   * @throws Error where the expression is faulty
   */
  async query(expression: string): Promise<readonly Series[]> {
    const { result } = await this.#get<{ result: Series[] }>(`query?query=${encodeURIComponent(expression)}`)
    return result
  }

  /** Returns the rules, once each has been evaluated. */
  rules(): Promise<readonly Rule[]> {
    return found(async () => {
      const { groups } = await this.#get<{ groups: { rules: Rule[] }[] }>('rules')
      const rules = groups.flatMap((group) => group.rules)
      return rules.length > 0 && rules.every(({ health }) => health !== 'unknown') ? rules : null
    }, 'Prometheus has evaluated its rules')
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill()
    await ended
  }

  async #get<T>(path: string): Promise<T> {
    const answer = (await (await fetch(`${this.#url}/api/v1/${path}`)).json()) as { data: T; error?: string }
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.data
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Prometheus does not tell which port it has taken, so it is given one that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
