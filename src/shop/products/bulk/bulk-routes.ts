import { Readable } from 'node:stream'
import { LeavableBody } from '../../../platform/http/bodies/leavable-body.ts'
import { loggedFaultOf } from '../../../platform/http/lines/batch-log.ts'
import { withWatermark } from '../../../platform/http/answers/watermark.ts'
import { endedLine, inPieces } from '../../../platform/http/lines/bulk-answer.ts'
import { prefersStrict } from '../../../platform/http/ignored-fields.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { Type } from '../../../platform/contract/schema.ts'
import { invalid } from '../../../platform/faults.ts'
import { BulkEnded } from '../../../platform/lines/bulk-result.ts'
import { LineTally } from '../../../platform/lines/line-tally.ts'
import { LINE_BYTES_MAX, ndjsonLines } from '../../../platform/lines/ndjson.ts'
import { type Pause, pauseOf } from '../../../platform/threads/slices.ts'
import {
  EXACT_NUMBERS,
  ProductBulkFinished,
  ProductBulkLine,
  ProductBulkQuery,
  ProductBulkResult,
} from '../contract.ts'
import type { ProductInput } from '../input.ts'
import { ProductPatchLine } from '../patch-contract.ts'
import type { ProductRules } from '../rules.ts'
import { answersOf, checkedLines, finishedLine } from './bulk-lines.ts'
import { FailedAnswers } from './failed-answers.ts'
import { MAX_RETIRED_DEFAULT, type MaxRetired, readMaxRetired } from './max-retired.ts'
import type { ProductPush, PushTarget } from './push-rules.ts'

export function productBulkRoutes(rules: ProductRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/products/bulk',
      schema: {
        operationId: 'importProducts',
        tags: ['Products'],
        summary: 'Push products, one JSON document a line',
        description:
          'Answers each line with one line once it is stored: created, updated, unchanged or failed, with the id and ' +
          'external_id. A bad line does not affect the others. With `mode=patch` a line has what changes of the product ' +
          'with its external_id. With `sync=full` the last line ' +
          '`{"status":"finished","retired":n}` says how many products were retired: those of the site and source that ' +
          'no line named. Nothing is retired when the external_id of a line could not be read, when more than ' +
          '`max_retired` products would go, when no line named a product, or when the stream breaks off. The last line, ' +
          'if there is one, then says why, and how many products would have gone. A retired product comes back once a ' +
          'line names it again. When more than 10,000 lines, and more than half of all, were blank or failed, the push ' +
          'ends with a line of status `ended`, and the rest is not read. So does a push that a stop of the service ' +
          'interrupts, and it retires nothing: send everything again.',
        querystring: ProductBulkQuery,
      },
      config: {
        scopes: ['products:write'],
        ndjson: true,
        ndjsonLine: Type.Union([ProductBulkLine, ProductPatchLine]),
        ndjsonAnswer: [ProductBulkResult, ProductBulkFinished, BulkEnded],
        exactNumbers: EXACT_NUMBERS,
      },
      handler: async (request, reply) => {
        const { caller, query } = request
        const kind = query.mode === 'patch' ? 'patch' : 'whole'
        if (kind === 'patch' && query.sync === 'full')
          throw invalid(['query', 'mode'], 'value_error', 'A full sync needs whole products, so it takes no patches')
        const dryRun = query.dry_run === true
        const target: PushTarget = {
          site: query.site_id,
          source: query.source ?? 'feed',
          dryRun,
          maxRetired: query.sync === 'full' ? maxRetiredOf(query.max_retired) : null,
        }
        const tally = new LineTally('line', app.traffic.stopSignal)
        const push = await rules.beginPush(caller, target, {
          tally,
          renewCaller: request.renewCaller,
          faultOf: loggedFaultOf(request),
        })
        reply.header('content-type', 'application/x-ndjson')
        // A loop over this body may be left without closing the connection, so the answer can end early.
        const body = new LeavableBody(request.body as AsyncIterable<Uint8Array>, app.traffic.stopSignal)
        const pause = pauseOf(caller.tenant.id)
        const isStrict = prefersStrict(request)
        const failed = query.answers === 'failed' ? new FailedAnswers() : null
        const isFull = target.maxRetired !== null
        const named = (answers: readonly object[]) => (dryRun ? answers : withWatermark(answers, request))
        const options: Stream = { dryRun, isFull, kind, isStrict, tally, named, body, pause, failed }
        return reply.send(Readable.from(answer(push, options)))
      },
    })
  }
}

function maxRetiredOf(text: string | undefined): MaxRetired {
  return text === undefined ? MAX_RETIRED_DEFAULT : readMaxRetired(text)
}

interface Stream {
  readonly dryRun: boolean
  readonly isFull: boolean
  readonly kind: ProductInput['kind']
  readonly isStrict: boolean
  readonly tally: LineTally
  /** Names the watermark in the last of some answers. */
  readonly named: (answers: readonly object[]) => readonly object[]
  readonly body: LeavableBody
  readonly pause: Pause
  /** Answers of failed lines, which are sent at the end; null where each line is answered once it is stored. */
  readonly failed: FailedAnswers | null
}

/** Stores the lines of the body, and yields their answers. */
async function* answer(
  push: ProductPush,
  { dryRun, isFull, kind, isStrict, tally, named, body, pause, failed }: Stream,
): AsyncGenerator<string> {
  const read = ndjsonLines(body, LINE_BYTES_MAX, { exactNumbers: EXACT_NUMBERS, tally, pause })
  const lines = checkedLines(read, { kind, isStrict })
  for await (const batch of push.run(lines)) {
    const answers = answersOf(batch, dryRun)
    if (failed === null) yield* inPieces(named(answers), pause)
    else failed.add(answers)
    tally.failed += answers.filter(({ status }) => status === 'failed').length
  }
  const failures = failed?.failures ?? []
  if (tally.isOver) {
    yield* inPieces(named([...failures, endedLine(tally)]), pause)
    await body.discardRest(pause)
    return
  }
  const outcome = await push.finish()
  const finished = outcome === null ? null : finishedLine(outcome)
  // Without an outcome a full sync is incomplete, and says so by having no last line.
  const isCounted = failed !== null && (finished !== null || !isFull)
  const last = isCounted ? { ...(finished ?? { status: 'finished', retired: 0 }), ...failed.counts } : finished
  yield* inPieces(named(last === null ? failures : [...failures, last]), pause)
}
