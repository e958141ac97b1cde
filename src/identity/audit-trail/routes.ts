import { Readable } from 'node:stream'
import { pageIn } from '../../platform/contract/paging.ts'
import { ListOf } from '../../platform/contract/schema.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { AuditExportQuery, AuditQuery, AuditRecord } from './contract.ts'
import { csvLines, jsonLines } from './export-lines.ts'
import type { AuditTrail } from './rules.ts'

const url = '/api/knowledge/audit-records'
const tags = ['Audit']
const scopes = ['tenant:admin'] as const
const write = compileSerialiser(AuditRecord)

const FORMATS = {
  jsonl: { lines: jsonLines, type: 'application/x-ndjson' },
  csv: { lines: csvLines, type: 'text/csv; charset=utf-8' },
} as const

/** Routes that read the audit log of the caller's tenant. */
export function auditRoutes(trail: AuditTrail): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listAuditRecords',
        tags,
        summary: 'Who changed what, and when',
        description:
          'Newest first. Records say who did what to which thing, never its content; of a change of settings also what ' +
          'they were. The Link header names the next page. Filters that fit few records of a long log take longer.',
        querystring: AuditQuery,
        response: { 200: ListOf(AuditRecord) },
      },
      config: { scopes, answerHeaders: ['Link'] },
      handler: async ({ caller, query }, reply) => {
        const { limit, cursor, ...filters } = query
        const { items, next } = await trail.list(caller, filters, pageIn({ limit, cursor }, ['string']))
        return sendPage(reply.request, reply, { items, next, keyOf: ({ id }) => [id], write })
      },
    })
    app.route({
      method: 'GET',
      url: `${url}/export`,
      schema: {
        operationId: 'exportAuditRecords',
        tags,
        summary: 'Export audit records',
        description:
          'Every record that the filters leave, newest first, as a file: one JSON document a line, or with `format=csv` ' +
          'a table. Cells of the table that begin like a formula have an apostrophe before them. The export itself is ' +
          'recorded. A connection that breaks off means that the file is not whole.',
        querystring: AuditExportQuery,
      },
      config: { scopes, ndjsonAnswer: [AuditRecord] },
      handler: async ({ caller, query, renewCaller }, reply) => {
        const { format = 'jsonl', ...filters } = query
        const { lines, type } = FORMATS[format]
        const batches = await trail.export(caller, filters, renewCaller)
        reply
          .header('content-type', type)
          .header('content-disposition', `attachment; filename="audit-records.${format}"`)
        // Reads the next batch once the client has taken this one.
        return reply.send(Readable.from(lines(batches), { highWaterMark: 1 }))
      },
    })
  }
}
