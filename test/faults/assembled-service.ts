import { pino } from 'pino'
import type { Database } from '../../src/platform/database/database.ts'
import { logSettings } from '../../src/platform/http/logger.ts'
import { createApp } from '../../src/app.ts'
import { openParts } from '../support/service-parts.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { testConfig, type TestService } from '../support/service.ts'

interface AssembledService {
  /** Connections that the service uses. */
  readonly database: Database
  readonly call: TestService['call']
  /** Lines of its log so far. */
  readonly logged: readonly string[]
  stop(): Promise<void>
}

/** Assembles a service from its parts, for faults in its own connections. It has no embedding queue. */
export async function assembleService(kind: DatabaseKind): Promise<AssembledService> {
  const place = await kind.create()
  const config = testConfig(place)
  const logged: string[] = []
  const logger = pino(logSettings('info'), { write: (line) => logged.push(line) })
  const { database, adminKey, parts, close } = await openParts(place, config)
  const app = createApp(config, parts('http://localhost', 'test'), logger)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    database,
    logged,
    async call(method, path, { body, headers } = {}) {
      const type = body === undefined ? {} : { 'content-type': 'application/json' }
      const init: RequestInit = { method, headers: { authorization: `Bearer ${adminKey}`, ...type, ...headers } }
      if (body !== undefined) init.body = typeof body === 'string' ? body : JSON.stringify(body)
      const response = await fetch(url + path, init)
      return { status: response.status, headers: response.headers, body: parsed(await response.text()) }
    },
    async stop() {
      await app.close()
      await close()
      await place.remove()
    },
  }
}

/** Returns the parsed JSON, or the text where it is several lines of JSON; null when empty. */
function parsed(text: string): unknown {
  return text === '' ? null : text.includes('\n') ? text : JSON.parse(text)
}
