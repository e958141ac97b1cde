import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { errorBody, STARTING } from './errors.ts'

/** Answers probes while the service cannot serve yet. */
export interface ProbesAtStart {
  /** Resolves when the address is free for the service. */
  close(): Promise<void>
}

/**
 * Answers probes on the service's address while its database is awaited: `/healthz` says that the process lives,
 * `/readyz` what is missing, and every other path gets 503. On port 0 it does nothing, because no probe can know the
 * address yet.
 * @throws the system's error when the address is taken
 */
export async function answerProbesAtStart(
  place: { readonly port: number; readonly host: string },
  missing: string,
): Promise<ProbesAtStart> {
  if (place.port === 0) return { close: () => Promise.resolve() }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0]
    if (path === '/healthz') answer(response, 200, JSON.stringify({ status: 'ok' }))
    else if (path === '/readyz') answer(response, 503, JSON.stringify({ status: 'not_ready', missing: [missing] }))
    else answer(response, STARTING.status, errorBody([STARTING.detail]))
  })
  server.listen(place)
  await once(server, 'listening')
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Answers and closes the connection, because the next request is for the service itself. */
function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  })
  response.end(body)
}
