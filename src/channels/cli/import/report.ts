import { textFaults } from '../../../platform/contract/text-faults.ts'
import type { FaultDetail } from '../../../platform/faults.ts'
import { printable } from '../printable.ts'
import type { Progress } from '../progress.ts'
import type { OtherKind } from './files.ts'

type Counted = 'created' | 'updated' | 'unchanged' | 'restored' | 'removed' | 'failed'

const KINDS: readonly (readonly [kind: OtherKind, one: string, many: string])[] = [
  ['image', 'image', 'images'],
  ['HTML', 'HTML file', 'HTML files'],
  ['PDF', 'PDF', 'PDFs'],
  ['other', 'other file', 'other files'],
]

/** Counts the results of an import, and writes failures where the progress is shown, at once. */
export class ImportReport {
  readonly counts: Record<Counted, number> = {
    created: 0,
    updated: 0,
    unchanged: 0,
    restored: 0,
    removed: 0,
    failed: 0,
  }
  /** Entries that were stored with the tenant's language, because neither they nor their texts tell another. */
  unnamedLanguages = 0
  /** Numbers of entries by language; null counts entries that state none. */
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
    this.#progress.note(`${printable(line)}\n`)
  }

  /** Counts files that the import ignores. */
  leave(files: ReadonlyMap<OtherKind, number>): void {
    for (const [kind, count] of files) this.#left.set(kind, (this.#left.get(kind) ?? 0) + count)
  }

  /** Counts a stored entry by language. @param language null when nothing tells it */
  inLanguage(language: string | null): void {
    this.languages.set(language, (this.languages.get(language) ?? 0) + 1)
  }

  /**
   * Two lines: languages of the entries, most frequent first, and ignored files. A line without content is left out.
   * @param unnamed language of the entries that state none
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
      ...(left.length === 0 ? [] : [`Ignored: ${left.join(', ')}`]),
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
 * The faults of a value from a file. Texts are checked first: a contract's check assumes that they are well-formed,
 * because the parser of HTTP bodies checks them.
 * @returns null for a good value
 */
export function faultsOf(
  value: unknown,
  check: (value: unknown) => readonly FaultDetail[] | null,
): readonly FaultDetail[] | null {
  const unsound = textFaults(value, ['body'])
  return unsound.length > 0 ? unsound : check(value)
}
