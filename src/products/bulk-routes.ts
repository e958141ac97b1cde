import { Readable } from 'node:stream'
import type { Caller } from '../access/caller.ts'
import type { Database } from '../database/database.ts'
import { Fault } from '../faults.ts'
import { ndjsonLines } from '../http/ndjson.ts'
import type { RoutePlugin } from '../http/route.ts'
import { faultOf } from '../http/storage-faults.ts'
import { batchesOf, failedBatch, pushBatch } from './bulk-push.ts'
import { EXACT_NUMBERS, ProductBulkFinished, ProductBulkLine, ProductBulkQuery, ProductBulkResult } from './contract.ts'
import { FullSync } from './full-sync.ts'
import type { ProductRules, PushPlace } from './rules.ts'

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
          'tells how many products were retired: those of the site and source that no line named. A stream that ' +
          'breaks off, or names nothing, retires nothing. A retired product is back once it is named again.',
        querystring: ProductBulkQuery,
      },
      config: {
        scopes: ['products:write'],
        ndjson: true,
        ndjsonLine: ProductBulkLine,
        ndjsonAnswer: [ProductBulkResult, ProductBulkFinished],
        exactNumbers: EXACT_NUMBERS,
      },
      handler: async (request, reply) => {
        const { caller, query } = request
        const siteId = await rules.siteId(caller, query.site_id)
        const source = query.source ?? 'feed'
        const sync = query.sync === 'full' ? await FullSync.begin(database, caller, { siteId, source }) : null
        const place = { siteId, source, run: sync?.run ?? null }
        reply.header('content-type', 'application/x-ndjson')
        const body = request.body as AsyncIterable<Uint8Array>
        return reply.send(Readable.from(push(rules, request.renewCaller, place, sync, body)))
      },
    })
  }
}

async function* push(
  rules: ProductRules,
  renewCaller: () => Promise<Caller>,
  place: PushPlace,
  sync: FullSync | null,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  let isWhole = true
  for await (const batch of batchesOf(ndjsonLines(body, LINE_BYTES_MAX, EXACT_NUMBERS))) {
    const results = await unlessRefused(async () => pushBatch(rules, await renewCaller(), place, sync, batch))
    isWhole &&= Array.isArray(results)
    const lines = Array.isArray(results) ? results : failedBatch(batch, results)
    yield lines.map((result) => `${JSON.stringify(result)}\n`).join('')
  }
  if (sync === null || !isWhole) return
  const retired = await unlessRefused(async () => sync.finish(await renewCaller()))
  if (typeof retired === 'number') yield `${JSON.stringify({ status: 'finished', retired })}\n`
}

/**
 * Does what needs the rights that the credential has by now: a key revoked during a push writes and retires no more.
 * @returns the fault when it has none any more, or storage is full or away: the status of the answer is on its way
 */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | Fault> {
  try {
    return await work()
  } catch (error) {
    const fault = error instanceof Fault ? error : faultOf(error)
    if (fault === null) throw error
    return fault
  }
}
