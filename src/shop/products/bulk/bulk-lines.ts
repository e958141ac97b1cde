import { undeclaredFaults, undeclaredIn } from '../../../platform/contract/undeclared.ts'
import { Fault, type FaultDetail } from '../../../platform/faults.ts'
import { lineDetail } from '../../../platform/lines/line-faults.ts'
import type { NdjsonLine } from '../../../platform/lines/ndjson.ts'
import type { PushedBatch } from '../../../platform/lines/push-batches.ts'
import { checkPatch, checkProduct } from '../check-product.ts'
import type { ProductBulkFinished } from '../contract.ts'
import type { ProductInput } from '../input.ts'
import type { ProductOutcome } from '../write.ts'
import type { SyncOutcome } from './full-sync.ts'
import { sayRefusal } from './full-sync-words.ts'
import type { ProductLine } from './push-rules.ts'

/** Answer to a line. */
export interface LineResult {
  readonly line: number
  readonly status: ProductOutcome['status']
  readonly id?: string
  readonly external_id?: string
  readonly cleared?: readonly string[]
  readonly detail?: readonly FaultDetail[]
}

/** Line that waits for its batch, with its product or the answer that refuses it. */
type CheckedLine = ProductLine & { readonly refused?: LineResult }

interface LineOptions {
  /** Whether a line is a whole product or a patch of one. */
  readonly kind: ProductInput['kind']
  /** Whether lines with undeclared fields are refused, as the caller prefers. */
  readonly isStrict: boolean
}

/** Checks lines as they arrive, so that no refused value waits in memory. */
export async function* checkedLines(
  lines: AsyncIterable<NdjsonLine>,
  { kind, isStrict }: LineOptions,
): AsyncGenerator<CheckedLine> {
  const check = kind === 'whole' ? checkProduct : checkPatch
  for await (const { line, bytes, value, fault } of lines) {
    const lineFault = fault ?? check(value)
    const undeclared = isStrict ? undeclaredFaults(undeclaredIn(value), ['body']) : []
    const refusal =
      undeclared.length === 0 ? lineFault : new Fault('invalid', [...(lineFault?.details ?? []), ...undeclared])
    if (refusal === null) yield { line, bytes, input: { kind, fields: value } as ProductInput }
    else {
      const refused = failure(line, value, refusal.details)
      yield { line, bytes: 0, externalId: refused.external_id, faults: refusal.details, refused }
    }
  }
}

/** Returns the answers to the lines of a batch, in order. */
export function answersOf(
  { lines, outcomes }: PushedBatch<CheckedLine, ProductOutcome>,
  dryRun: boolean,
): LineResult[] {
  return lines.map(({ line, input, refused }, i) => {
    if (refused !== undefined) return refused
    const outcome = outcomes[i]!
    if (outcome.status === 'failed') return failure(line, input?.fields, outcome.fault.details)
    // A product that a dry run would create has no id.
    const id = dryRun && outcome.status === 'created' ? {} : { id: outcome.id }
    const { status, cleared } = outcome
    return { line, status, ...id, ...externalIdOf(input?.fields), ...(cleared === undefined ? {} : { cleared }) }
  })
}

/** Returns the last line of a full sync whose feed was read to its end. */
export function finishedLine(outcome: SyncOutcome): ProductBulkFinished {
  const { retired, unnamed, externalIds, refusal, isDryRun } = outcome
  if (refusal === null && !isDryRun) return { status: 'finished', retired }
  const reason = sayRefusal(outcome, { option: 'max_retired=' })
  return {
    status: 'finished',
    retired,
    would_retire: unnamed,
    external_ids: [...externalIds],
    ...(isDryRun ? { dry_run: true } : {}),
    ...(reason === null ? {} : { reason }),
  }
}

function failure(line: number, value: unknown, detail: readonly FaultDetail[]): LineResult {
  return { line, status: 'failed', ...externalIdOf(value), detail: lineDetail(detail) }
}

/** Returns the external_id of a line as a part of its answer; empty when it cannot be read. */
function externalIdOf(value: unknown): { external_id?: string } {
  const { external_id: id } = (value ?? {}) as { external_id?: unknown }
  return typeof id === 'string' && id.length <= 1_000 ? { external_id: id } : {}
}
