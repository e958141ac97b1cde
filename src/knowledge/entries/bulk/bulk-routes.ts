import { Readable } from 'node:stream'
import type { Caller } from '../../../platform/access/caller.ts'
import { undeclaredFaults, undeclaredIn } from '../../../platform/contract/undeclared.ts'
import { Fault, type FaultDetail } from '../../../platform/faults.ts'
import { LeavableBody } from '../../../platform/http/bodies/leavable-body.ts'
import { loggedFaultOf } from '../../../platform/http/lines/batch-log.ts'
import { withWatermark } from '../../../platform/http/answers/watermark.ts'
import { endedLine, inPieces } from '../../../platform/http/lines/bulk-answer.ts'
import { prefersStrict } from '../../../platform/http/ignored-fields.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { BulkEnded } from '../../../platform/lines/bulk-result.ts'
import { lineDetail } from '../../../platform/lines/line-faults.ts'
import { LineTally } from '../../../platform/lines/line-tally.ts'
import { LINE_BYTES_MAX, type NdjsonLine, ndjsonLines } from '../../../platform/lines/ndjson.ts'
import type { FaultOf, PushedBatch } from '../../../platform/lines/push-batches.ts'
import { faultOf } from '../../../platform/storage-faults.ts'
import { type Pause, pauseOf } from '../../../platform/threads/slices.ts'
import { type BulkEntry, BulkLine, BulkResult, EntryBulkQuery } from '../contract.ts'
import type { LineOutcome } from '../writes/write-only.ts'
import { checkEntry, type EntryBulkRules } from './bulk-rules.ts'

/** Answer to a line. */
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
          'Answers each line with one line once it is stored: created, updated, unchanged, restored or failed. A bad ' +
          'line does not affect the others. A line whose source_reference already exists in the tenant replaces ' +
          'that entry, so you can simply send an interrupted import again. If that entry was deleted and rests in ' +
          'the bin, the line brings it back with its versions (restored). Without knowledge:read every accepted ' +
          'line is answered `stored`; the answer has an id only if the line has no source_reference. Such a line ' +
          'replaces only an entry of its own type. When more than 10,000 lines, and more than half of all, were ' +
          'blank or failed, the import ends with a line of status `ended`, and the rest is not read. So does an ' +
          'import that a stop of the service interrupts: send the rest again. With `dry_run` nothing is stored, and ' +
          'each line is answered as it would be; whether the category and other things that a line names exist is ' +
          'not checked.',
        querystring: EntryBulkQuery,
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
        const { stopSignal } = app.traffic
        // A loop over this body may be left without closing the connection, so the answer can end early.
        const body = new LeavableBody(request.body as AsyncIterable<Uint8Array>, stopSignal)
        const isDryRun = request.query.dry_run === true
        const { renewCaller } = request
        const completion = new LineCompletion(rules, renewCaller, isDryRun)
        const tally = new LineTally('line', stopSignal)
        const bulk: BulkImport = {
          rules,
          renewCaller,
          completion,
          isStrict: prefersStrict(request),
          isDryRun,
          tally,
          named: (answers) => (isDryRun ? answers : withWatermark(answers, request)),
          faultOf: loggedFaultOf(request),
        }
        return reply.send(Readable.from(answer(bulk, body, pause)))
      },
    })
  }
}

/** Line that waits for its batch, with its entry or the answer that refuses it. */
type CheckedLine = { readonly line: number; readonly bytes: number } & (
  | { readonly input: BulkEntry; readonly refused?: undefined }
  | { readonly input?: undefined; readonly refused: Result }
)

/** An import: the rules that store its lines, and how they are to be stored. */
interface BulkImport {
  readonly rules: EntryBulkRules
  readonly renewCaller: () => Promise<Caller>
  readonly completion: LineCompletion
  /** Whether lines with undeclared fields are refused, as the caller prefers. */
  readonly isStrict: boolean
  readonly isDryRun: boolean
  readonly tally: LineTally
  /** Names the watermark in the last of some answers. */
  readonly named: (answers: readonly object[]) => readonly object[]
  readonly faultOf: FaultOf
}

/** Stores the lines of the body, and yields the answer to each line once the line is stored. */
async function* answer(bulk: BulkImport, body: LeavableBody, pause: Pause): AsyncGenerator<string> {
  const { rules, renewCaller, completion, isDryRun, tally } = bulk
  const lines = checkedLines(ndjsonLines(body, LINE_BYTES_MAX, { tally, pause }), bulk)
  for await (const batch of rules.importLines(lines, { tally, renewCaller, faultOf: bulk.faultOf, isDryRun })) {
    const answers = answersOf(batch, isDryRun)
    yield* inPieces(bulk.named(answers), pause)
    tally.failed += answers.filter(({ status }) => status === 'failed').length
    completion.beginBatch()
  }
  if (!tally.isOver) return
  yield* inPieces(bulk.named([endedLine(tally)]), pause)
  await body.discardRest(pause)
}

/**
 * Adds to the fault of a refused line those faults that only stored data can show, judged with the caller's current
 * rights.
 */
class LineCompletion {
  readonly #rules: EntryBulkRules
  readonly #renewCaller: () => Promise<Caller>
  readonly #isDryRun: boolean
  /** Caller of the batch: undefined before its first refused line, null when renewing the caller's rights failed. */
  #caller: Caller | null | undefined

  constructor(rules: EntryBulkRules, renewCaller: () => Promise<Caller>, isDryRun: boolean) {
    this.#rules = rules
    this.#renewCaller = renewCaller
    this.#isDryRun = isDryRun
  }

  /** Makes the next refused line renew the caller, so that a revoked key learns no more. Call it between batches. */
  beginBatch(): void {
    this.#caller = undefined
  }

  async complete(line: unknown, fault: Fault): Promise<Fault> {
    try {
      const caller = await this.#currentCaller()
      return caller === null ? fault : await this.#rules.completeLine(caller, line, fault, !this.#isDryRun)
    } catch (error) {
      // Storage is away, or the credential has ended. The other lines of the batch report that when they are to be
      // stored; this line keeps the fault that it has.
      if (faultOf(error) === null) throw error
      return fault
    }
  }

  async #currentCaller(): Promise<Caller | null> {
    if (this.#caller === undefined) {
      this.#caller = null
      this.#caller = await this.#renewCaller()
    }
    return this.#caller
  }
}

/** Checks lines as they arrive, so that neither undeclared fields nor refused lines wait in memory. */
async function* checkedLines(
  lines: AsyncIterable<NdjsonLine>,
  { completion, isStrict }: BulkImport,
): AsyncGenerator<CheckedLine> {
  for await (const { line, bytes, value, fault } of lines) {
    if (fault !== undefined) {
      yield refusedLine(line, fault)
      continue
    }
    const faults = faultsOfLine(value, isStrict)
    if (faults === null) yield { line, bytes, input: value as BulkEntry }
    else yield refusedLine(line, await completion.complete(value, new Fault('invalid', faults)))
  }
}

function refusedLine(line: number, { details }: Fault): CheckedLine {
  return { line, bytes: 0, refused: { line, status: 'failed', detail: lineDetail(details) } }
}

function faultsOfLine(value: unknown, isStrict: boolean): readonly FaultDetail[] | null {
  const faults = checkEntry(value)
  const undeclared = isStrict ? undeclaredFaults(undeclaredIn(value), ['body']) : []
  return undeclared.length === 0 ? faults : [...(faults ?? []), ...undeclared]
}

/** Returns the answers to the lines of a batch, in order. */
function answersOf({ lines, outcomes }: PushedBatch<CheckedLine, LineOutcome>, isDryRun: boolean): Result[] {
  return lines.map(({ line, input, refused }, i) => refused ?? resultOf(line, input, outcomes[i]!, isDryRun))
}

function resultOf(line: number, entry: BulkEntry, outcome: LineOutcome, isDryRun: boolean): Result {
  const reference = entry.source_reference === undefined ? {} : { source_reference: entry.source_reference }
  if (outcome.status === 'failed')
    return { line, status: 'failed', ...reference, detail: lineDetail(outcome.fault.details) }
  // An entry that a dry run would create has no id yet.
  const id = isDryRun && outcome.status === 'created' ? {} : { id: outcome.id }
  return { line, status: outcome.status, ...id, ...reference }
}
