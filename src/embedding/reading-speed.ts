import { BOTH_ID, CONTEXTUAL_ID, STATIC_ID } from './builtin/ids.ts'
import type { EmbeddingCall } from './telemetry/observed-embedder.ts'

/** Tokens a second on one core of an ordinary server, until the process has measured its own. */
const SHIPPED: Readonly<Record<string, number>> = { [STATIC_ID]: 1_000_000, [CONTEXTUAL_ID]: 8_000, [BOTH_ID]: 8_000 }
/** Speed that is assumed of a model that nothing is known about. */
const UNKNOWN = 8_000
/** Tokens after which a measured speed counts. A hundred passages are enough to even out their lengths. */
const ENOUGH_TOKENS = 20_000
/** Tokens after which what was measured first counts half, since a machine may become busy or idle. */
const REMEMBERED_TOKENS = 2_000_000

/** Measures how fast passages become vectors in this process, by the calls that it makes anyway. */
export class ReadingSpeed {
  readonly #measured = new Map<string, { tokens: number; ms: number }>()

  /** Takes note of a call that has ended, in whichever thread. */
  note({ model, purpose, outcome, tokens, durationMs }: EmbeddingCall): void {
    if (purpose !== 'passage' || outcome !== 'answered' || tokens === undefined) return
    const { tokens: earlier, ms } = this.#measured.get(model) ?? { tokens: 0, ms: 0 }
    const share = earlier > REMEMBERED_TOKENS ? 0.5 : 1
    this.#measured.set(model, { tokens: earlier * share + tokens, ms: ms * share + durationMs })
  }

  /** Returns the tokens a second of a model. */
  of(model: string): number {
    const measured = this.#measured.get(model)
    if (measured === undefined || measured.tokens < ENOUGH_TOKENS || measured.ms === 0) return SHIPPED[model] ?? UNKNOWN
    return (measured.tokens / measured.ms) * 1_000
  }
}
