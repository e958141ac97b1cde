import { mayReadBack } from '../../../platform/access/read-back.ts'
import { newestPageIn, PageQuery } from '../../../platform/contract/paging.ts'
import { ListOf, NoContent, UuidParams } from '../../../platform/contract/schema.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import { withVersion } from '../../../platform/http/answers/etag.ts'
import { sendPage } from '../../../platform/http/answers/send-page.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { Entry } from '../contract.ts'
import type { EntryBinRules } from './bin-rules.ts'
import { BinnedEntry } from './contract.ts'

const BASE = '/api/knowledge/bin'
const tags = ['Bin']
const params = UuidParams('entry_id')
const writeBinned = compileSerialiser(BinnedEntry)

export function binRoutes(rules: EntryBinRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url: BASE,
      schema: {
        operationId: 'listBin',
        tags,
        summary: 'List deleted entries',
        description:
          'What the caller may see of the bin, the last deleted first. Deleted entries rest in it for 30 days, unless ' +
          'the tenant says otherwise (`purge_at`), and are in no other answer.',
        querystring: PageQuery,
        response: { 200: ListOf(BinnedEntry) },
      },
      config: { scopes: ['knowledge:read', 'knowledge:delete'], answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { entries, next } = await rules.list(request.caller, newestPageIn(request.query))
        return sendPage(request, reply, {
          items: entries,
          next: next === null ? null : [next.createdAt, next.id],
          keyOf: ({ deleted_at: deletedAt, id }) => [Date.parse(deletedAt), id],
          write: writeBinned,
        })
      },
    })
    app.route({
      method: 'POST',
      url: `${BASE}/:entry_id/restore`,
      schema: {
        operationId: 'restoreEntry',
        tags,
        summary: 'Restore a deleted entry',
        description:
          'It comes back with its id, version and earlier versions, and into those of its projects and sites that ' +
          'still exist. If its category or workspace was deleted, this is refused (409). Without knowledge:read the ' +
          'answer is 204.',
        params,
        response: { 200: Entry, 204: NoContent },
      },
      config: { scopes: ['knowledge:delete'], errors: [404, 409], answerHeaders: ['ETag', 'X-Watermark'] },
      handler: async (request, reply) => {
        const entry = await rules.restore(request.caller, request.params.entry_id)
        if (!mayReadBack(request.caller)) return reply.code(204).send(null)
        return withVersion(reply, entry)
      },
    })
    app.route({
      method: 'DELETE',
      url: `${BASE}/:entry_id`,
      schema: {
        operationId: 'purgeEntry',
        tags,
        summary: 'Delete an entry for good',
        description: 'Deletes an entry in the bin with all its versions. Nothing brings it back.',
        params,
        response: { 204: NoContent },
      },
      config: { scopes: ['knowledge:delete'], errors: [404] },
      handler: async (request, reply) => {
        await rules.purge(request.caller, request.params.entry_id)
        return reply.code(204).send(null)
      },
    })
  }
}
