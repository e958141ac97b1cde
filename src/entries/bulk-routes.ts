import { Readable } from 'node:stream'
import type { Caller } from '../access/caller.ts'
import type { FaultDetail } from '../faults.ts'
import { compileCheck } from '../http/check.ts'
import { type NdjsonLine, ndjsonLines } from '../http/ndjson.ts'
import type { RoutePlugin } from '../http/route.ts'
import { faultOf } from '../http/storage-faults.ts'
import { BulkLine, type EntryCreate } from './contract.ts'
import type { BulkOutcome, EntryRules } from './rules.ts'

/** Longer than any valid entry as JSON is not; the same as the limit of a body with one entry. */
const LINE_BYTES_MAX = 2 * 1_024 * 1_024
/** Lines that share a transaction, and thereby one sync of the disk. */
const BATCH_LINES = 100

const checkLine = compileCheck(BulkLine, ['body'])

interface Result {
  line: number
  status: string
  id?: string
  source_reference?: string | null
  detail?: readonly FaultDetail[]
}

export function entryBulkRoutes(rules: EntryRules): RoutePlugin {
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
          'import is simply sent again.',
      },
      config: { scopes: ['knowledge:write'], ndjson: true, ndjsonLine: BulkLine },
      handler: (request, reply) => {
        reply.header('content-type', 'application/x-ndjson')
        return reply.send(Readable.from(importLines(rules, request.caller, request.body as AsyncIterable<Uint8Array>)))
      },
    })
  }
}

async function* importLines(
  rules: EntryRules,
  caller: Caller,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  let batch: NdjsonLine[] = []
  for await (const line of ndjsonLines(body, LINE_BYTES_MAX)) {
    batch.push(line)
    if (batch.length < BATCH_LINES) continue
    yield* storeBatch(rules, caller, batch)
    batch = []
  }
  yield* storeBatch(rules, caller, batch)
}

async function* storeBatch(rules: EntryRules, caller: Caller, lines: readonly NdjsonLine[]): AsyncGenerator<string> {
  const results = lines.map(checkedLine)
  const good = results.flatMap((result, i) => (result === null ? [lines[i].value as EntryCreate] : []))
  const outcomes = good.length === 0 ? [] : await storeAll(rules, caller, good)
  let next = 0
  for (const [i, { line }] of lines.entries()) {
    const result = results[i] ?? resultOf(line, good[next], outcomes[next++])
    yield `${JSON.stringify(result)}\n`
  }
}

/**
 * Stores entries together. When storage is full or away none of them is stored, and each says so: the
 * status of the answer is on its way already, and the lines after them may fare better.
 */
async function storeAll(rules: EntryRules, caller: Caller, entries: EntryCreate[]): Promise<BulkOutcome[]> {
  try {
    return await rules.bulk(caller, entries)
  } catch (error) {
    const fault = faultOf(error)
    if (fault === null) throw error
    return entries.map(() => ({ status: 'failed', fault }))
  }
}

/** The failure of a line that cannot even be tried; null when it can. */
function checkedLine({ line, value, fault }: NdjsonLine): Result | null {
  const detail = fault?.details ?? checkLine(value)
  return detail === null ? null : { line, status: 'failed', detail }
}

function resultOf(line: number, entry: EntryCreate, outcome: BulkOutcome): Result {
  const reference = entry.source_reference === undefined ? {} : { source_reference: entry.source_reference }
  return outcome.status === 'failed'
    ? { line, status: 'failed', ...reference, detail: outcome.fault.details }
    : { line, status: outcome.status, id: outcome.id, ...reference }
}
