import { Fault, type FaultDetail } from '../../../platform/faults.ts'
import { lineDetail } from '../../../platform/http/lines/bulk-answer.ts'
import type { NdjsonLine } from '../../../platform/http/lines/ndjson.ts'
import { faultOf } from '../../../platform/http/storage-faults.ts'
import { checkProduct } from '../check-product.ts'
import type { ProductBulkFinished, ProductWrite } from '../contract.ts'
import type { FullSync, SyncOutcome } from './full-sync.ts'
import { sayRefusal } from './full-sync-words.ts'
import type { ProductOutcome } from '../write.ts'

/** What shares a transaction, and thereby one sync of the disk. */
export const BATCH = { lines: 200, bytes: 1_024 * 1_024 }

interface LineResult {
  readonly line: number
  readonly status: ProductOutcome['status']
  readonly id?: string
  readonly external_id?: string
  readonly detail?: readonly FaultDetail[]
}

/** A line as it waits for its batch: the product it is, or why it is none. */
type CheckedLine = { readonly line: number; readonly bytes: number } & (
  | { readonly product: ProductWrite; readonly failed?: undefined }
  | { readonly failed: LineResult; readonly product?: undefined }
)

/** Checks lines as they arrive, so that no refused value waits in memory. */
export async function* checkedLines(lines: AsyncIterable<NdjsonLine>): AsyncGenerator<CheckedLine> {
  for await (const { line, bytes, value, fault } of lines) {
    const refused = fault ?? checkProduct(value)
    if (refused === null) yield { line, bytes, product: value as ProductWrite }
    else yield { line, bytes: 0, failed: failure(line, value, refused.details) }
  }
}

interface Push {
  /** Stores the first of several products, or says what that would do. */
  readonly take: (products: readonly ProductWrite[]) => Promise<ProductOutcome[]>
  readonly dryRun: boolean
  readonly sync: FullSync | null
}

/**
 * Stores a batch, and tells the full sync what it named.
 * @returns a result for each line, in order; and whether storage and the rights of the credential held to its end
 */
export async function pushBatch(
  { take, dryRun, sync }: Push,
  lines: readonly CheckedLine[],
): Promise<{ results: LineResult[]; isWhole: boolean }> {
  const good = lines.flatMap(({ product }) => product ?? [])
  const outcomes: ProductOutcome[] = []
  let refused = await refusalOf(async () => {
    while (outcomes.length < good.length) outcomes.push(...(await take(good.slice(outcomes.length))))
  })
  let next = 0
  const resultOf = (line: number, product: ProductWrite): LineResult => {
    const outcome = outcomes[next++] ?? { status: 'failed', fault: refused! }
    if (outcome.status === 'failed') return failure(line, product, outcome.fault.details)
    // What a dry run would create has no id.
    const id = dryRun && outcome.status === 'created' ? {} : { id: outcome.id }
    return { line, status: outcome.status, ...id, ...named(product) }
  }
  const results = lines.map(({ line, product, failed }) => failed ?? resultOf(line, product))
  if (sync !== null) refused ??= await refusalOf(() => tell(sync, results))
  return { results, isWhole: refused === null }
}

async function tell(sync: FullSync, results: readonly LineResult[]): Promise<void> {
  const good = results.filter(({ status }) => status !== 'failed')
  if (good.length > 0) sync.named(good.flatMap(({ id }) => id ?? []))
  const failed = results.filter(({ status }) => status === 'failed')
  for (const { line, external_id: name } of failed) if (name === undefined) sync.missed(`line ${line}`)
  await sync.keep(failed.flatMap(({ external_id: name }) => name ?? []))
}

/**
 * @returns the fault when the credential has no rights any more, or storage is full or away; null when there is none
 */
export async function refusalOf(work: () => Promise<unknown>): Promise<Fault | null> {
  try {
    await work()
    return null
  } catch (error) {
    const fault = error instanceof Fault ? error : faultOf(error)
    if (fault === null) throw error
    return fault
  }
}

/** The last line of a full sync that was read to its end. */
export function finishedLine(sync: FullSync, outcome: SyncOutcome): ProductBulkFinished {
  const { retired, unnamed, externalIds, refusal } = outcome
  if (refusal === null && !sync.isDryRun) return { status: 'finished', retired }
  const reason = sayRefusal(outcome, sync, { option: 'max_retired=' })
  return {
    status: 'finished',
    retired,
    would_retire: unnamed,
    external_ids: [...externalIds],
    ...(sync.isDryRun ? { dry_run: true } : {}),
    ...(reason === null ? {} : { reason }),
  }
}

function failure(line: number, value: unknown, detail: readonly FaultDetail[]): LineResult {
  return { line, status: 'failed', ...named(value), detail: lineDetail(detail) }
}

/** What the line calls its product, as far as that can be read. */
function named(value: unknown): { external_id?: string } {
  const { external_id: id } = (value ?? {}) as { external_id?: unknown }
  return typeof id === 'string' && id.length <= 1_000 ? { external_id: id } : {}
}
