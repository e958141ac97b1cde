import type { Fault } from '../faults.ts'
import { type BatchLimits, batchesOf } from './line-batches.ts'
import type { LineTally } from './line-tally.ts'

/** A line that its reader has checked. */
interface PushLine<I> {
  /** Counts towards the bytes of a batch. */
  readonly bytes: number
  /** What is to be stored; absent where the line was refused. */
  readonly input?: I | undefined
}

interface Failed {
  readonly status: 'failed'
  readonly fault: Fault
}

/** Stores the first of several inputs, at least one. @returns an outcome for each that it took, in order */
type Take<I, O> = (inputs: readonly I[]) => Promise<O[]>

/** The fault that an error is told as; null when it is a mistake of the program. */
export type FaultOf = (error: unknown) => Fault | null

export interface PushedBatch<L, O> {
  readonly lines: readonly L[]
  /** What became of each line, in order; null for those that were refused before. */
  readonly outcomes: readonly (O | Failed | null)[]
  /** Why some of the batch was not tried: a fault that is no line's own; null when there is none. */
  readonly refusal: Fault | null
}

interface PushOptions<I, O> {
  /** What shares a transaction, and thereby one sync of the disk. */
  readonly limits: BatchLimits
  /** Once it is hopeless, no further batch is stored. The consumer counts failed lines before it asks for more. */
  readonly tally: LineTally
  readonly take: Take<I, O>
  /** See `takeAll`. */
  readonly faultOf: FaultOf | undefined
}

/** Stores lines as they come, a batch at a time. */
export async function* pushBatches<L extends PushLine<I>, I extends object, O>(
  source: AsyncIterable<L>,
  { limits, tally, take, faultOf }: PushOptions<I, O>,
): AsyncGenerator<PushedBatch<L, O>> {
  for await (const lines of batchesOf(source, limits)) {
    const inputs = lines.flatMap(({ input }) => input ?? [])
    const taken = await takeAll(inputs, take, faultOf)
    let next = 0
    const outcomes = lines.map(({ input }) => (input === undefined ? null : taken.outcomes[next++]))
    yield { lines, outcomes, refusal: taken.refusal }
    if (tally.isHopeless) return
  }
}

/**
 * Calls `take` until it has taken all inputs.
 * @param faultOf tells which errors fail all inputs that are left, such as those of a full disk, so that later batches
 *   may fare better; any other error is thrown. Without it every error is.
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
