import type { Fault } from '../faults.ts'
import { type BatchLimits, batchesOf } from './line-batches.ts'
import type { LineTally } from './line-tally.ts'

/** A line that its reader has checked. */
interface PushLine<I> {
  /** Counts towards the length of a batch. */
  readonly bytes: number
  /** Object to store; absent when the line was refused. */
  readonly input?: I | undefined
}

interface Failed {
  readonly status: 'failed'
  readonly fault: Fault
}

/** Stores one or more of the first inputs. @returns one outcome for each stored input, in order */
type Take<I, O> = (inputs: readonly I[]) => Promise<O[]>

/** Returns the fault that callers get for an error, or null for a bug. */
export type FaultOf = (error: unknown) => Fault | null

export interface PushedBatch<L, O> {
  readonly lines: readonly L[]
  /** Outcomes of the lines, in order; null for lines refused earlier. */
  readonly outcomes: readonly (O | Failed | null)[]
  /** Fault that kept part of the batch from being tried, such as an outage; null when there was none. */
  readonly refusal: Fault | null
}

interface PushOptions<I, O> {
  /** Lines that share a transaction, and therefore one sync to disk. */
  readonly limits: BatchLimits
  /**
   * No further batch is stored once the tally is over (`LineTally.isOver`). The consumer must count failed lines before
   * it asks for the next batch.
   */
  readonly tally: LineTally
  readonly take: Take<I, O>
  /** See `takeAll`. */
  readonly faultOf: FaultOf | undefined
}

/** Stores lines batch by batch while they arrive. */
export async function* pushBatches<L extends PushLine<I>, I extends object, O>(
  source: AsyncIterable<L>,
  { limits, tally, take, faultOf }: PushOptions<I, O>,
): AsyncGenerator<PushedBatch<L, O>> {
  for await (const lines of batchesOf(source, limits)) {
    const inputs = lines.flatMap(({ input }) => input ?? [])
    const batch = await takeAll(inputs, take, faultOf)
    let next = 0
    const outcomes = lines.map(({ input }) => (input === undefined ? null : batch.outcomes[next++]))
    yield { lines, outcomes, refusal: batch.refusal }
    if (tally.isOver) return
  }
}

/**
 * Calls `take` until all inputs are stored.
 * @param faultOf returns a fault for an error that fails only the remaining inputs, such as a full disk; later batches
 *   may work again. Any other error is thrown. Without `faultOf` every error is thrown.
 */
export async function takeAll<I, O>(
  inputs: readonly I[],
  take: Take<I, O>,
  faultOf: FaultOf = () => null,
): Promise<{ outcomes: (O | Failed)[]; refusal: Fault | null }> {
  const outcomes: (O | Failed)[] = []
  try {
    while (outcomes.length < inputs.length) outcomes.push(...(await take(inputs.slice(outcomes.length))))
    return { outcomes, refusal: null }
  } catch (error) {
    const refusal = faultOf(error)
    if (refusal === null) throw error
    while (outcomes.length < inputs.length) outcomes.push({ status: 'failed', fault: refusal })
    return { outcomes, refusal }
  }
}
