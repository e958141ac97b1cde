// What a run of tests leaves for the next: which processes passed on which state of the code, and the statements that
// they ran on PostgreSQL. A run that was interrupted or failed goes on from there.
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from '../runtime.mjs'
import type { Outcome } from './outcomes.ts'

/** Characters of a hash that tell states of the code apart. */
const HASH_LENGTH = 12

export class RunState {
  readonly #folder: string
  readonly #code: string
  /** File in which the runner's reporter writes the outcomes of this run. */
  readonly outcomesFile: string

  /**
   * @param folder is made if it is not there
   * @param code names the state of the code (`codeState`)
   */
  constructor(folder: string, code: string) {
    this.#folder = folder
    this.#code = code
    mkdirSync(folder, { recursive: true })
    this.outcomesFile = join(folder, `${Date.now()}.${code}.outcomes`)
  }

  /** Returns the names of the processes that passed in an earlier run. */
  passed(): Set<string> {
    return new Set(this.#outcomes().flatMap(({ outcome: each }) => (isPassed(each) ? each.run : [])))
  }

  /** Returns the reasons for which this run and earlier ones skipped tests and suites, one for each of them. */
  skipped(): string[] {
    return this.#outcomes().flatMap(({ outcome: each }) => (each.kind === 'skipped' ? each.why : []))
  }

  /** Returns how many processes passed, and how many of them on another state of the code. */
  counts(): { readonly passed: number; readonly elsewhere: number } {
    const ended = this.#outcomes().filter(({ outcome }) => isPassed(outcome))
    return { passed: ended.length, elsewhere: ended.filter(({ code }) => code !== this.#code).length }
  }

  /**
   * Keeps the statements that this run has recorded beside those of earlier runs, so that they are judged together.
   * @returns the folder of all statements
   */
  keepStatements(recorded: string): string {
    const statements = join(this.#folder, 'statements')
    cpSync(recorded, join(statements, basename(this.outcomesFile)), { recursive: true })
    return statements
  }

  forget(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #outcomes(): { readonly code: string; readonly outcome: Outcome }[] {
    if (!existsSync(this.#folder)) return []
    return globSync('*.outcomes', { cwd: this.#folder }).flatMap((name) => {
      const [, code] = name.split('.')
      const text = readFileSync(join(this.#folder, name), 'utf8')
      // The end of a process may have cut the last line.
      const lines = text.split('\n').slice(0, -1)
      return lines.map((line) => ({ code, outcome: JSON.parse(line) as Outcome }))
    })
  }
}

/**
 * Returns the name of the code's state: its commit, and its difference from the commit. Outside a clone all states have
 * one name.
 */
export function codeState(): string {
  const hash = createHash('sha256')
  try {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 1024 ** 3,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    hash.update(git('rev-parse', 'HEAD')).update(git('diff', 'HEAD'))
    const added = git('ls-files', '--others', '--exclude-standard', '-z').split('\0').slice(0, -1)
    for (const file of added) hash.update(file).update(readFileSync(join(root, file)))
  } catch {
    return 'unknown'
  }
  return hash.digest('hex').slice(0, HASH_LENGTH)
}

function isPassed(outcome: Outcome): outcome is Extract<Outcome, { kind: 'run' }> {
  return outcome.kind === 'run' && outcome.hasPassed
}
