import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { machinePath, type ProgramKey, skipWithout } from '../support/optional-programs.ts'
import { until } from '../support/patience.ts'

/** A program of the machine, and why tests that need it are skipped: false when it is there, and in CI. */
export interface MachineProgram {
  readonly path: string
  readonly skip: string | false
}

export function machineProgram(program: string, key: ProgramKey): MachineProgram {
  return { path: machinePath(program) ?? program, skip: skipWithout(key) }
}

/** Replaces parts of a sample that a test needs otherwise. @throws Error when the sample does not have one of them */
export function adapted(sample: string, changes: readonly (readonly [from: string, to: string])[]): string {
  let text = sample
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`the sample does not have ${JSON.stringify(from)}`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** A program that runs in the foreground and listens on a port of this machine. */
export class Daemon {
  readonly #child: ChildProcess
  output = ''

  private constructor(child: ChildProcess) {
    this.#child = child
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text))
  }

  /**
   * Starts the program.
   * @param uid user that it runs as, if the tests run as root
   * @returns once it takes connections on the port
   */
  static async start(
    path: string,
    args: readonly string[],
    port: number,
    { uid, env }: { uid?: number; env?: NodeJS.ProcessEnv } = {},
  ): Promise<Daemon> {
    const ids = process.getuid?.() === 0 && uid !== undefined ? { uid, gid: uid } : {}
    const child = spawn(path, args, { ...ids, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const daemon = new Daemon(child)
    try {
      await until(
        async () => {
          assert.equal(child.exitCode, null, `${path} has ended:\n${daemon.output}`)
          return isListening(port)
        },
        () => `${path} listens:\n${daemon.output}`,
      )
    } catch (error) {
      await daemon.stop()
      throw error
    }
    return daemon
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill(signal)
    await ended
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
