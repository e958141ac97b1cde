import { textFaults } from '../../../platform/contract/text-faults.ts'
import type { FaultDetail } from '../../../platform/faults.ts'
import { lineDetail } from '../../../platform/lines/line-faults.ts'
import { printable } from '../printable.ts'
import type { Progress } from '../progress.ts'
import type { OtherKind } from './files.ts'

type Counted = 'created' | 'updated' | 'unchanged' | 'removed' | 'failed'

const KINDS: readonly (readonly [kind: OtherKind, one: string, many: string])[] = [
  ['image', 'image', 'images'],
  ['HTML', 'HTML file', 'HTML files'],
  ['PDF', 'PDF', 'PDFs'],
  ['other', 'other file', 'other files'],
]

/** Counts what an import does and names what it cannot do, at once, on standard error. */
export class ImportReport {
  readonly counts: Record<Counted, number> = { created: 0, updated: 0, unchanged: 0, removed: 0, failed: 0 }
  /** Entries that were written in the tenant's language, because nothing says theirs. */
  unnamedLanguages = 0
  /** How many entries are in each language, those that say none under null. */
  readonly languages = new Map<string | null, number>()
  readonly #left = new Map<OtherKind, number>()
  readonly #progress: Progress

  constructor(progress: Progress) {
    this.#progress = progress
  }

  get done(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0)
  }

  fail(what: string, reason: string): void {
    this.counts.failed++
    this.note(`not imported: ${what}: ${reason}`)
  }

  note(line: string): void {
    this.#progress.clear()
    process.stderr.write(`${printable(line)}\n`)
  }

  /** Counts files that an import leaves alone. */
  leave(files: ReadonlyMap<OtherKind, number>): void {
    for (const [kind, count] of files) this.#left.set(kind, (this.#left.get(kind) ?? 0) + count)
  }

  /** Counts an entry that is there now. @param language null when neither its file nor the call says any */
  inLanguage(language: string | null): void {
    this.languages.set(language, (this.languages.get(language) ?? 0) + 1)
  }

  /**
   * What languages the entries are in, the most frequent first, and what was left alone, a line each.
   * @param unnamed language of the entries that say none
   */
  details(unnamed: string): string[] {
    const languages = new Map<string, number>()
    for (const [language, count] of this.languages) {
      const code = language ?? unnamed
      languages.set(code, (languages.get(code) ?? 0) + count)
    }
    const named = [...languages].sort(([a, i], [b, j]) => j - i || (a < b ? -1 : 1))
    const left = KINDS.flatMap(([kind, one, many]) => {
      const count = this.#left.get(kind) ?? 0
      return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
    })
    return [
      ...(named.length === 0 ? [] : [`Languages: ${named.map(([code, count]) => `${count} ${code}`).join(', ')}`]),
      ...(left.length === 0 ? [] : [`Left alone: ${left.join(', ')}`]),
    ]
  }

  summary(): string {
    const { removed, failed, ...rest } = this.counts
    const parts = Object.entries(rest).map(([name, count]) => `${count} ${name}`)
    if (removed > 0) parts.push(`${removed} removed`)
    if (failed > 0) parts.push(`${failed} not imported (listed above)`)
    return parts.join(', ')
  }
}

/**
 * What is wrong with a value from a file. Its texts come first: the check of a contract takes them for sound, since the
 * parser of bodies has looked at them.
 * @returns null when nothing is
 */
export function faultsOf(
  value: unknown,
  check: (value: unknown) => readonly FaultDetail[] | null,
): readonly FaultDetail[] | null {
  const unsound = textFaults(value, ['body'])
  return unsound.length > 0 ? unsound : check(value)
}

/** The faults of an entry in one line, places without the `body` that a file does not have. */
export function sayFaults(details: readonly FaultDetail[]): string {
  return lineDetail(details)
    .map(({ loc, msg }) => {
      const place = loc.slice(loc[0] === 'body' ? 1 : 0).join('.')
      return place === '' ? msg : `${place}: ${msg}`
    })
    .join('; ')
}
