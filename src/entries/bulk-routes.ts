import { Readable } from 'node:stream'
import type { Caller } from '../access/caller.ts'
import { isTold } from '../access/told.ts'
import { Fault, type FaultDetail } from '../faults.ts'
import { compileCheck } from '../http/check.ts'
import { type NdjsonLine, ndjsonLines } from '../http/ndjson.ts'
import type { RoutePlugin } from '../http/route.ts'
import { faultOf } from '../http/storage-faults.ts'
import type { EntryBulkRules } from './bulk-rules.ts'
import { BulkLine, BulkResult, type EntryCreate } from './contract.ts'
import { type ToldOutcome, untold } from './untold-writes.ts'

/** Longer than any valid entry as JSON is not; the same as the limit of a body with one entry. */
const LINE_BYTES_MAX = 2 * 1_024 * 1_024
/** Lines that share a transaction, and thereby one sync of the disk. */
const BATCH_LINES = 100
/** Content that waits in memory for its batch; beyond it the batch is stored early. */
const BATCH_CHARACTERS = 2 * 1_024 * 1_024

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
          'was there, with an id only where it has no source_reference; it replaces an entry of its own type only.',
      },
      config: { scopes: ['knowledge:write'], ndjson: true, ndjsonLine: BulkLine, ndjsonAnswer: [BulkResult] },
      handler: (request, reply) => {
        reply.header('content-type', 'application/x-ndjson')
        return reply.send(
          Readable.from(importLines(rules, request.renewCaller, request.body as AsyncIterable<Uint8Array>)),
        )
      },
    })
  }
}

/** A line as it waits for its batch: what of it can be tried, or why nothing can. */
type Checked =
  | { readonly line: number; readonly entry: EntryCreate }
  | { readonly line: number; readonly failed: Result }

async function* importLines(
  rules: EntryBulkRules,
  renewCaller: () => Promise<Caller>,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  let batch: Checked[] = []
  let characters = 0
  for await (const line of ndjsonLines(body, LINE_BYTES_MAX)) {
    const checked = checkedLine(line)
    batch.push(checked)
    if ('entry' in checked) characters += checked.entry.content.length
    if (batch.length < BATCH_LINES && characters < BATCH_CHARACTERS) continue
    yield* storeBatch(rules, renewCaller, batch)
    batch = []
    characters = 0
  }
  yield* storeBatch(rules, renewCaller, batch)
}

async function* storeBatch(
  rules: EntryBulkRules,
  renewCaller: () => Promise<Caller>,
  lines: readonly Checked[],
): AsyncGenerator<string> {
  const good = lines.flatMap((line) => ('entry' in line ? [line.entry] : []))
  const outcomes = good.length === 0 ? [] : await storeAll(rules, renewCaller, good)
  let next = 0
  for (const line of lines) {
    const result = 'failed' in line ? line.failed : resultOf(line.line, line.entry, outcomes[next++])
    yield `${JSON.stringify(result)}\n`
  }
}

/**
 * Stores entries together, with the rights the credential has by now: a key revoked during an import writes no
 * more. When storage is full or away none of them is stored, and each says so: the
 * status of the answer is on its way already, and the lines after them may fare better.
 */
async function storeAll(
  rules: EntryBulkRules,
  renewCaller: () => Promise<Caller>,
  entries: EntryCreate[],
): Promise<ToldOutcome[]> {
  try {
    const caller = await renewCaller()
    const outcomes = await rules.bulk(caller, entries)
    return isTold(caller) ? outcomes : outcomes.map((outcome, i) => untold(outcome, entries[i]))
  } catch (error) {
    const fault = error instanceof Fault ? error : faultOf(error)
    if (fault === null) throw error
    return entries.map(() => ({ status: 'failed', fault }))
  }
}

/** Checked as it arrives, so that nothing undeclared and no refused value waits in memory. */
function checkedLine({ line, value, fault }: NdjsonLine): Checked {
  const detail = fault?.details ?? checkLine(value)
  return detail === null ? { line, entry: value as EntryCreate } : { line, failed: { line, status: 'failed', detail } }
}

function resultOf(line: number, entry: EntryCreate, outcome: ToldOutcome): Result {
  const reference = entry.source_reference === undefined ? {} : { source_reference: entry.source_reference }
  return outcome.status === 'failed'
    ? { line, status: 'failed', ...reference, detail: outcome.fault.details }
    : { line, status: outcome.status, id: outcome.id, ...reference }
}
