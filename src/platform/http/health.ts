import type { Registry } from 'prom-client'
import type { HttpApp } from './route.ts'
import { ListOf, Contract, OneOf, Text } from '../contract/schema.ts'

const Health = Contract('Health', { status: OneOf(['ok']) })
const Readiness = Contract('Readiness', {
  status: OneOf(['ready', 'not_ready']),
  missing: ListOf(Text(), { description: 'What is not there yet, or no more' }),
})

const RETRY_AFTER_SECONDS = '1'
const CHECK_TIMEOUT_MS = 2_000

/**
 * Adds probes and metrics, which need no credential.
 * @param missing lists what keeps the service from serving, in words that may be public; a check that fails or takes
 * too long is listed too
 */
export function addHealth(
  app: HttpApp,
  missing: () => Promise<readonly string[]>,
  metrics: Pick<Registry, 'contentType' | 'metrics'>,
): void {
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
    handler: () => ({ status: 'ok' as const }),
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
      const lacks = app.traffic.isLeaving ? ['service is stopping'] : await within(missing)
      if (lacks.length === 0) return { status: 'ready' as const, missing: [] }
      reply.code(503).header('retry-after', RETRY_AFTER_SECONDS)
      return { status: 'not_ready' as const, missing: [...lacks] }
    },
  })
  app.route({
    method: 'GET',
    url: '/metrics',
    config: { public: true, hidden: true },
    handler: async (_request, reply) => {
      reply.header('content-type', metrics.contentType)
      return metrics.metrics()
    },
  })
}

async function within(missing: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => resolve(['readiness check did not answer']), CHECK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([missing(), late])
  } catch {
    return ['readiness check failed']
  } finally {
    clearTimeout(timer)
  }
}
