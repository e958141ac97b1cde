import { TOLD_FAILURES_MAX } from '../contract.ts'
import type { LineResult } from './bulk-lines.ts'

/** Characters of failed lines as JSON after which no more are kept: they stay in memory until the push is read. */
const KEPT_CHARACTERS_MAX = 1_024 * 1_024

/** Answer of a push with `answers=failed`: its first failed lines, and the number of lines by result. */
export class FailedAnswers {
  readonly failures: LineResult[] = []
  readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  #characters = 0

  add(answers: readonly LineResult[]): void {
    for (const answer of answers) {
      this.counts[answer.status]++
      if (answer.status !== 'failed' || this.failures.length >= TOLD_FAILURES_MAX) continue
      if (this.#characters >= KEPT_CHARACTERS_MAX) continue
      this.#characters += JSON.stringify(answer).length
      this.failures.push(answer)
    }
  }
}
