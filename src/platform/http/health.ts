import type { HttpApp } from './route.ts'
import { PROGRAM_COMMIT } from '../commit.ts'
import { Contract, ListOf, Nullable, OneOf, type Static, Text } from '../contract/schema.ts'
import { unauthorized } from '../faults.ts'
import { VERSION } from '../version.ts'
import { MetricsPage, type PublishedMetrics } from './metrics-page.ts'
import { type Missing, missingNow } from './readiness.ts'

const Health = Contract('Health', {
  status: OneOf(['ok']),
  version: Text({ description: 'Version of the program' }),
  commit: Nullable(Text(), { description: 'Commit of the program; null in a copy that does not tell' }),
})
type Health = Static<typeof Health>

/** What `/healthz` answers, also while the service starts. */
export const HEALTHY: Health = { status: 'ok', version: VERSION, commit: PROGRAM_COMMIT }

const Readiness = Contract('Readiness', {
  status: OneOf(['ready', 'not_ready']),
  missing: ListOf(Text(), { description: 'What is not there yet, or no more' }),
})

const RETRY_AFTER_SECONDS = '1'

/**
 * Adds probes and metrics, which need no credential of a tenant.
 * @param missing lists what keeps the service from serving, in words that may be public; a check that fails or takes
 * too long is listed too
 * @param metrics null where they have a port of their own
 */
export function addHealth(app: HttpApp, missing: Missing, metrics: PublishedMetrics | null): void {
  app.route({
    method: 'GET',
    url: '/healthz',
    schema: {
      operationId: 'health',
      tags: ['Operation'],
      summary: 'Whether the process lives',
      response: { 200: Health },
    },
    config: { public: true },
    handler: () => HEALTHY,
  })
  app.route({
    method: 'GET',
    url: '/readyz',
    schema: {
      operationId: 'readiness',
      tags: ['Operation'],
      summary: 'Whether requests are served; 503 with the same body when not',
      response: { 200: Readiness, 503: Readiness },
    },
    config: { public: true },
    handler: async (_request, reply) => {
      const lacks = await missingNow(app.traffic, missing)
      if (lacks.length === 0) return { status: 'ready' as const, missing: [] }
      reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
      return { status: 'not_ready' as const, missing: [...lacks] }
    },
  })
  if (metrics === null) return
  const page = new MetricsPage(metrics)
  app.route({
    method: 'GET',
    url: '/metrics',
    config: { public: true, hidden: true },
    handler: async (request, reply) => {
      if (!page.mayRead(request.headers.authorization)) {
        throw unauthorized(['header', 'authorization'], 'Send METRICS_TOKEN as bearer token')
      }
      const { body, headers } = await page.read(request.headers['accept-encoding'])
      reply.headers(headers).header('content-type', page.contentType)
      return body
    },
  })
}
