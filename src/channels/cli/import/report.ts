import { textFaults } from '../../../platform/contract/text-faults.ts'
import type { FaultDetail } from '../../../platform/faults.ts'
import { printable } from '../printable.ts'
import type { Progress } from '../progress.ts'
import type { OtherKind } from './files.ts'

type ResultName = 'created' | 'updated' | 'unchanged' | 'restored' | 'removed' | 'failed'

const KINDS: readonly (readonly [kind: OtherKind, one: string, many: string])[] = [
  ['image', 'image', 'images'],
  ['HTML', 'HTML file', 'HTML files'],
  ['PDF', 'PDF', 'PDFs'],
  ['other', 'other file', 'other files'],
]

/** Counts the results of an import, and writes each failure at once to the output of the progress. */
export class ImportReport {
  readonly counts: Record<ResultName, number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    restored: 0,
    removed: 0,
    failed: 0,
  }
  /** Number of entries with the tenant's language, because neither a field nor the text of the entry tells another. */
  unnamedLanguages = 0
  /** The number of entries by language; null counts entries without one. */
  readonly languages = new Map<string | null, number>()
  readonly #ignored = new Map<OtherKind, number>()
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
    this.#progress.note(`${printable(line)}\n`)
  }

  /** Counts files that the import ignores. */
  leave(files: ReadonlyMap<OtherKind, number>): void {
    for (const [kind, count] of files) this.#ignored.set(kind, (this.#ignored.get(kind) ?? 0) + count)
  }

  /** Counts a stored entry by language. @param language null when nothing tells it */
  inLanguage(language: string | null): void {
    this.languages.set(language, (this.languages.get(language) ?? 0) + 1)
  }

  /**
   * Writes a line with the languages of the entries, most frequent first, and one with ignored files; none without any.
   * @param defaultLanguage language of the entries without one
   */
  details(defaultLanguage: string): string[] {
    const languages = new Map<string, number>()
    for (const [language, count] of this.languages) {
      const code = language ?? defaultLanguage
      languages.set(code, (languages.get(code) ?? 0) + count)
    }
    const byCount = [...languages].sort(([a, i], [b, j]) => j - i || (a < b ? -1 : 1))
    const ignored = KINDS.flatMap(([kind, one, many]) => {
      const count = this.#ignored.get(kind) ?? 0
      return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]
    })
    return [
      ...(byCount.length === 0 ? [] : [`Languages: ${byCount.map(([code, count]) => `${count} ${code}`).join(', ')}`]),
      ...(ignored.length === 0 ? [] : [`Ignored: ${ignored.join(', ')}`]),
    ]
  }

  summary(): string {
    const { restored, removed, failed, ...rest } = this.counts
    const parts = Object.entries(rest).map(([name, count]) => `${count} ${name}`)
    if (restored > 0) parts.push(`${restored} restored from the bin`)
    if (removed > 0) parts.push(`${removed} removed`)
    if (failed > 0) parts.push(`${failed} not imported (listed above)`)
    return parts.join(', ')
  }
}

/**
 * Returns the faults of a value from a file. It checks the texts first: the check of a contract assumes that they are
 * well-formed, because the parser of HTTP bodies sees to that.
 * @returns null for a good value
 */
export function faultsOf(
  value: unknown,
  check: (value: unknown) => readonly FaultDetail[] | null,
): readonly FaultDetail[] | null {
  const ofTexts = textFaults(value, ['body'])
  return ofTexts.length > 0 ? ofTexts : check(value)
}
