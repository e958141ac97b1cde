import type { Caller } from '../access/caller.ts'
import type { Fault, FaultDetail } from '../faults.ts'
import { compileCheck } from '../http/check.ts'
import type { NdjsonLine } from '../http/ndjson.ts'
import { ProductBulkLine, type ProductWrite } from './contract.ts'
import type { FullSync } from './full-sync.ts'
import type { ProductRules, PushPlace } from './rules.ts'
import type { ProductOutcome } from './write.ts'

/** Products that share a transaction, and thereby one sync of the disk. */
export const BATCH_PRODUCTS = 200
/** What a batch may hold in memory as it was sent; a few long lines make a batch of their own. */
export const BATCH_BYTES = 4 * 1_024 * 1_024

const check = compileCheck(ProductBulkLine, ['body'])

interface LineResult {
  readonly line: number
  readonly status: ProductOutcome['status']
  readonly id?: string
  readonly external_id?: string
  readonly detail?: readonly FaultDetail[]
}

/** Lines in batches that are worth a transaction. */
export async function* batchesOf(lines: AsyncIterable<NdjsonLine>): AsyncGenerator<NdjsonLine[]> {
  let batch: NdjsonLine[] = []
  let bytes = 0
  for await (const line of lines) {
    batch.push(line)
    bytes += line.bytes
    if (batch.length < BATCH_PRODUCTS && bytes < BATCH_BYTES) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** Checks and stores a batch in one transaction. @returns a result for each line, in order */
export async function pushBatch(
  rules: ProductRules,
  caller: Caller,
  place: PushPlace,
  sync: FullSync | null,
  lines: readonly NdjsonLine[],
): Promise<LineResult[]> {
  const faults = lines.map(({ value, fault }) => fault?.details ?? check(value))
  const good = lines.flatMap(({ value }, i) => (faults[i] === null ? [value as ProductWrite] : []))
  const outcomes = await rules.bulk(caller, place, good)
  let next = 0
  const results = lines.map(({ line, value }, i) => {
    const detail = faults[i]
    return detail === null ? resultOf(line, value, outcomes[next++]) : failure(line, value, detail)
  })
  if (sync !== null) {
    if (results.some(({ status }) => status !== 'failed')) sync.named()
    await sync.keep(results.flatMap((result) => (result.status === 'failed' ? (result.external_id ?? []) : [])))
  }
  return results
}

/** The results of a batch none of which was stored. */
export function failedBatch(lines: readonly NdjsonLine[], { details }: Fault): LineResult[] {
  return lines.map(({ line, value, fault }) => failure(line, value, fault?.details ?? details))
}

function resultOf(line: number, value: unknown, outcome: ProductOutcome): LineResult {
  if (outcome.status === 'failed') return failure(line, value, outcome.fault.details)
  return { line, status: outcome.status, id: outcome.id, ...named(value) }
}

function failure(line: number, value: unknown, detail: readonly FaultDetail[]): LineResult {
  return { line, status: 'failed', ...named(value), detail }
}

/** What the line calls its product, as far as that can be read. */
function named(value: unknown): { external_id?: string } {
  const { external_id: id } = (value ?? {}) as { external_id?: unknown }
  return typeof id === 'string' && id.length <= 1_000 ? { external_id: id } : {}
}
