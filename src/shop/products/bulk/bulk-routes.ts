import { Readable } from 'node:stream'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { endedLine, inPieces } from '../../../platform/http/lines/bulk-answer.ts'
import { BulkEnded } from '../../../platform/http/lines/bulk-result.ts'
import { LeavableBody } from '../../../platform/http/bodies/leavable-body.ts'
import { batchesOf } from '../../../platform/http/lines/line-batches.ts'
import { LineTally } from '../../../platform/http/lines/line-tally.ts'
import { ndjsonLines } from '../../../platform/http/lines/ndjson.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { type Pause, pauseOf } from '../../../platform/threads/slices.ts'
import { BATCH, checkedLines, finishedLine, pushBatch, refusalOf } from './bulk-push.ts'
import {
  EXACT_NUMBERS,
  ProductBulkFinished,
  ProductBulkLine,
  ProductBulkQuery,
  ProductBulkResult,
  type ProductWrite,
} from '../contract.ts'
import { FullSync, type SyncOutcome } from './full-sync.ts'
import { MAX_RETIRED_DEFAULT, readMaxRetired } from './max-retired.ts'
import type { ProductRules, PushPlace } from '../rules.ts'
import type { ProductOutcome } from '../write.ts'

/** The same as the limit of a body with one product. */
const LINE_BYTES_MAX = 2 * 1_024 * 1_024

export function productBulkRoutes(rules: ProductRules, database: Database): RoutePlugin {
  return (app) => {
    app.route({
      method: 'POST',
      url: '/api/knowledge/products/bulk',
      schema: {
        operationId: 'importProducts',
        tags: ['Products'],
        summary: 'Push products, one JSON document a line',
        description:
          'Answers one line for each line, as it is stored: created, updated, unchanged or failed, with the id and ' +
          'external_id. A bad line spoils only itself. With `sync=full` a last line `{"status":"finished","retired":n}` ' +
          'tells how many products were retired: those of the site and source that no line named. Nothing is retired ' +
          'when a line could not be read as far as its external_id, when more than `max_retired` would go, when no line ' +
          'named a product, or when the stream breaks off; the last line, where there is one, then says why, and how ' +
          'many products would have gone. A retired product is back once it is named again. Once more than 10,000 ' +
          'lines, and more than half of all, were blank or failed, a last line with the status ended says so, and ' +
          'nothing after it is read.',
        querystring: ProductBulkQuery,
      },
      config: {
        scopes: ['products:write'],
        ndjson: true,
        ndjsonLine: ProductBulkLine,
        ndjsonAnswer: [ProductBulkResult, ProductBulkFinished, BulkEnded],
        exactNumbers: EXACT_NUMBERS,
      },
      handler: async (request, reply) => {
        const { caller, query } = request
        const siteId = await rules.siteId(caller, query.site_id)
        const source = query.source ?? 'feed'
        const dryRun = query.dry_run === true
        const maxRetired = query.max_retired === undefined ? MAX_RETIRED_DEFAULT : readMaxRetired(query.max_retired)
        const sync =
          query.sync === 'full'
            ? await FullSync.begin(database, caller, { siteId, source }, { maxRetired, dryRun })
            : null
        const place = { siteId, source, run: sync?.run ?? null }
        reply.header('content-type', 'application/x-ndjson')
        const body = new LeavableBody(request.body as AsyncIterable<Uint8Array>)
        const pause = pauseOf(caller.tenant.id)
        return reply.send(Readable.from(push(rules, request.renewCaller, place, { dryRun, sync, body, pause })))
      },
    })
  }
}

interface Stream {
  readonly dryRun: boolean
  readonly sync: FullSync | null
  readonly body: LeavableBody
  readonly pause: Pause
}

/** With the rights that the credential has by now: a key revoked during a push writes and retires no more. */
async function* push(
  rules: ProductRules,
  renewCaller: () => Promise<Caller>,
  place: PushPlace,
  { dryRun, sync, body, pause }: Stream,
): AsyncGenerator<string> {
  const tally = new LineTally()
  const lines = checkedLines(ndjsonLines(body, LINE_BYTES_MAX, { exactNumbers: EXACT_NUMBERS, tally, pause }))
  const take = async (products: readonly ProductWrite[]): Promise<ProductOutcome[]> =>
    rules[dryRun ? 'preview' : 'bulk'](await renewCaller(), place, products)
  let isWhole = true
  for await (const batch of batchesOf(lines, BATCH)) {
    const pushed = await pushBatch({ take, dryRun, sync }, batch)
    yield* inPieces(pushed.results, pause)
    isWhole &&= pushed.isWhole
    tally.failed += pushed.results.filter(({ status }) => status === 'failed').length
    if (tally.isHopeless) break
  }
  if (tally.isHopeless) {
    yield* inPieces([endedLine(tally)], pause)
    await body.letPass(pause)
  } else if (sync !== null && isWhole) {
    let outcome: SyncOutcome | null = null
    await refusalOf(async () => (outcome = await sync.finish(await renewCaller())))
    if (outcome !== null) yield* inPieces([finishedLine(sync, outcome)], pause)
  }
}
