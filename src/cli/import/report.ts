import type { FaultDetail } from '../../faults.ts'
import { lineDetail } from '../../http/bulk-answer.ts'
import { printable } from '../printable.ts'
import type { Progress } from '../progress.ts'

type Counted = 'created' | 'updated' | 'unchanged' | 'removed' | 'failed'

/** Counts what an import does and names what it cannot do, at once, on standard error. */
export class ImportReport {
  readonly counts: Record<Counted, number> = { created: 0, updated: 0, unchanged: 0, removed: 0, failed: 0 }
  /** Entries that were written in the tenant's language, because nothing says theirs. */
  unnamedLanguages = 0
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

  summary(): string {
    const { removed, failed, ...rest } = this.counts
    const parts = Object.entries(rest).map(([name, count]) => `${count} ${name}`)
    if (removed > 0) parts.push(`${removed} removed`)
    if (failed > 0) parts.push(`${failed} not imported (listed above)`)
    return parts.join(', ')
  }
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
