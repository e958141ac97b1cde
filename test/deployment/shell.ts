import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/patience.ts'

/** A shell that stays open: blocks of a page run in it one after the other, and each sees what the earlier ones set. */
export class Shell {
  readonly #child: ChildProcess
  readonly #folder: string
  #output = ''
  #blocks = 0
  #hasEnded = false

  /** @param folder for the texts of the blocks */
  constructor(folder: string, env: Readonly<Record<string, string | undefined>>) {
    this.#folder = folder
    this.#child = spawn('sh', [], { env, cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => (this.#output += text))
    this.#child.stdin!.on('error', () => undefined)
    // Through one pipe, so that the line at the end of a block comes last.
    this.#child.stdin!.write('exec 2>&1\n')
    this.#child.on('exit', () => (this.#hasEnded = true))
  }

  /**
   * Runs a block.
   * @returns the output of the block
   * @throws Error when the shell ended, as `set -e` lets it when a command fails
   */
  async run(block: string): Promise<string> {
    const name = `block-${this.#blocks++}`
    const done = `<end of ${name}>\n`
    const file = join(this.#folder, name)
    writeFileSync(file, block)
    this.#output = ''
    this.#child.stdin!.write(`{ . '${file}'; } < /dev/null\necho '${done.trimEnd()}'\n`)
    await until(
      () => {
        if (this.#output.includes(done)) return true
        if (this.#hasEnded) throw new Error(`A command failed:\n${block}\n${this.#output}`)
        return false
      },
      () => `this block ends:\n${block}\n${this.#output}`,
    )
    return this.#output.slice(0, this.#output.indexOf(done))
  }

  async end(): Promise<void> {
    if (this.#hasEnded) return
    const ended = once(this.#child, 'exit')
    this.#child.stdin!.end()
    await ended
  }
}
