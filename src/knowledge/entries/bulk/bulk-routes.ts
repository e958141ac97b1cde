import { Readable } from 'node:stream'
import type { Caller } from '../../../platform/access/caller.ts'
import { isTold } from '../../../platform/access/told.ts'
import { Fault, type FaultDetail } from '../../../platform/faults.ts'
import { endedLine, inPieces, lineDetail } from '../../../platform/http/lines/bulk-answer.ts'
import { BulkEnded } from '../../../platform/http/lines/bulk-result.ts'
import { compileCheck } from '../../../platform/contract/check.ts'
import { LeavableBody } from '../../../platform/http/bodies/leavable-body.ts'
import { batchesOf } from '../../../platform/http/lines/line-batches.ts'
import { LineTally } from '../../../platform/http/lines/line-tally.ts'
import { type NdjsonLine, ndjsonLines } from '../../../platform/http/lines/ndjson.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { faultOf } from '../../../platform/http/storage-faults.ts'
import { type Pause, pauseOf } from '../../../platform/threads/slices.ts'
import type { EntryBulkRules } from './bulk-rules.ts'
import { BulkLine, BulkResult, type EntryCreate } from '../contract.ts'
import { type ToldOutcome, untold } from '../writes/untold-writes.ts'

/** Longer than any valid entry as JSON is not; the same as the limit of a body with one entry. */
const LINE_BYTES_MAX = 2 * 1_024 * 1_024
/** What shares a transaction, and thereby one sync of the disk. */
const BATCH = { lines: 100, bytes: 1_024 * 1_024 }

const checkLine = compileCheck(BulkLine, ['body'])

interface Result {
  line: number
  status: string
  id?: string
  source_reference?: string | null
  detail?: readonly FaultDetail[]
}

export function entryBulkRoutes(rules: EntryBulkRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/knowledge-entries/bulk',
      schema: {
        operationId: 'importEntries',
        tags: ['Knowledge entries'],
        summary: 'Import entries, one JSON document a line',
        description:
          'Answers one line for each line, as it is stored: created, updated, unchanged or failed. A bad line spoils ' +
          'only itself. A line whose source_reference the tenant has already replaces that entry, so an interrupted ' +
          'import is simply sent again. Without knowledge:read a line that is not refused is answered `stored`, whatever ' +
          'was there, with an id only where it has no source_reference; it replaces an entry of its own type only. Once ' +
          'more than 10,000 lines, and more than half of all, were blank or failed, a last line with the status ended ' +
          'says so, and nothing after it is read.',
      },
      config: {
        scopes: ['knowledge:write'],
        ndjson: true,
        ndjsonLine: BulkLine,
        ndjsonAnswer: [BulkResult, BulkEnded],
      },
      handler: (request, reply) => {
        reply.header('content-type', 'application/x-ndjson')
        const pause = pauseOf(request.caller.tenant.id)
        const body = new LeavableBody(request.body as AsyncIterable<Uint8Array>)
        return reply.send(Readable.from(importLines(rules, request.renewCaller, body, pause)))
      },
    })
  }
}

/** A line as it waits for its batch: what of it can be tried, or why nothing can. */
type Checked = { readonly line: number; readonly bytes: number } & (
  | { readonly entry: EntryCreate; readonly failed?: undefined }
  | { readonly failed: Result; readonly entry?: undefined }
)

async function* importLines(
  rules: EntryBulkRules,
  renewCaller: () => Promise<Caller>,
  body: LeavableBody,
  pause: Pause,
): AsyncGenerator<string> {
  const tally = new LineTally()
  const lines = checkedLines(ndjsonLines(body, LINE_BYTES_MAX, { tally, pause }), lineCompletion(rules, renewCaller))
  for await (const batch of batchesOf(lines, BATCH)) {
    const results = await storeBatch(rules, renewCaller, batch)
    yield* inPieces(results, pause)
    tally.failed += results.filter(({ status }) => status === 'failed').length
    if (tally.isHopeless) break
  }
  if (!tally.isHopeless) return
  yield* inPieces([endedLine(tally)], pause)
  await body.letPass(pause)
}

async function storeBatch(
  rules: EntryBulkRules,
  renewCaller: () => Promise<Caller>,
  lines: readonly Checked[],
): Promise<Result[]> {
  const good = lines.flatMap(({ entry }) => entry ?? [])
  const outcomes = good.length === 0 ? [] : await storeAll(rules, renewCaller, good)
  let next = 0
  return lines.map(({ line, entry, failed }) => failed ?? resultOf(line, entry, outcomes[next++]))
}

/**
 * Stores entries together, with the rights the credential has by now: a key revoked during an import writes no
 * more. When storage is full or away none of what is left is stored, and each says so: the status of the answer is on
 * its way already, and the lines after them may fare better.
 */
async function storeAll(
  rules: EntryBulkRules,
  renewCaller: () => Promise<Caller>,
  entries: readonly EntryCreate[],
): Promise<ToldOutcome[]> {
  const outcomes: ToldOutcome[] = []
  while (outcomes.length < entries.length) {
    const left = entries.slice(outcomes.length)
    try {
      const caller = await renewCaller()
      const stored = await rules.bulk(caller, left)
      outcomes.push(...(isTold(caller) ? stored : stored.map((outcome, i) => untold(outcome, left[i]))))
    } catch (error) {
      const fault = error instanceof Fault ? error : faultOf(error)
      if (fault === null) throw error
      outcomes.push(...left.map(() => ({ status: 'failed', fault }) as const))
    }
  }
  return outcomes
}

type CompleteLine = (line: unknown, fault: Fault) => Promise<Fault>

/**
 * Adds to the faults of a refused line, by what is stored when it arrives. A batch's worth of them share one look at the
 * credential.
 */
function lineCompletion(rules: EntryBulkRules, renewCaller: () => Promise<Caller>): CompleteLine {
  let count = 0
  let caller: Caller
  return async (line, fault) => {
    try {
      if (count % BATCH.lines === 0) caller = await renewCaller()
      count++
      return await rules.completeLine(caller, line, fault)
    } catch (error) {
      // The lines that would be stored tell of storage that is away, and of a credential that ended.
      if (faultOf(error) === null) throw error
      return fault
    }
  }
}

/** Checked as they arrive, so that nothing undeclared and no refused value waits in memory. */
async function* checkedLines(lines: AsyncIterable<NdjsonLine>, complete: CompleteLine): AsyncGenerator<Checked> {
  for await (const { line, bytes, value, fault } of lines) {
    const broken = fault === undefined ? checkLine(value) : null
    const refused = broken === null ? fault : await complete(value, new Fault('invalid', broken))
    if (refused === undefined) yield { line, bytes, entry: value as EntryCreate }
    else yield { line, bytes: 0, failed: { line, status: 'failed', detail: lineDetail(refused.details) } }
  }
}

function resultOf(line: number, entry: EntryCreate, outcome: ToldOutcome): Result {
  const reference = entry.source_reference === undefined ? {} : { source_reference: entry.source_reference }
  return outcome.status === 'failed'
    ? { line, status: 'failed', ...reference, detail: lineDetail(outcome.fault.details) }
    : { line, status: outcome.status, id: outcome.id, ...reference }
}
