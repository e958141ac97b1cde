import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A copy of the program whose sources a test may change, as the next version does. */
export class ProgramCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'knowledge-program-'))

  constructor() {
    cpSync(join(ROOT, 'src'), join(this.#folder, 'src'), { recursive: true })
    for (const name of readdirSync(ROOT)) {
      if (name !== 'src' && name !== '.git') symlinkSync(join(ROOT, name), join(this.#folder, name))
    }
  }

  /** The module that Node runs as the program. */
  get main(): string {
    return join(this.#folder, 'src/main.ts')
  }

  /** Replaces a text in a file of `src`. @throws Error when the file does not have it */
  change(file: string, from: string, to: string): void {
    const path = join(this.#folder, 'src', file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} does not have ${JSON.stringify(from)}`)
    writeFileSync(path, text.replace(from, to))
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
