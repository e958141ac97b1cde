import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Agent, fetch as fetchWith, type RequestInit as Init } from 'undici'
import { ADMIN_KEY, ServiceProcess } from '../durability/service-process.ts'
import { DATABASES, type TestDatabase } from '../support/databases.ts'
import { freePort } from '../support/free-port.ts'
import type { Daemon } from './programs.ts'
import { HOST, makeCertificate, PROXIES } from './proxies.ts'
import { asJson, proxyAgent, SteadyClients } from './steady-clients.ts'
import { until } from '../support/patience.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const CLIENTS = 8
const postgres = DATABASES.find(({ name }) => name === 'PostgreSQL')

for (const proxy of PROXIES) {
  describe(
    `${proxy.name} in front of two processes`,
    {
      skip: postgres === undefined ? 'PostgreSQL is left out of this run' : proxy.program.skip,
    },
    () => {
      let folder: string
      let place: TestDatabase
      let daemon: Daemon
      let ca: Buffer
      let httpsPort: number
      let servicePorts: [number, number]
      const services: ServiceProcess[] = []
      const agents: Agent[] = []

      const startService = async (i: number): Promise<void> => {
        services[i] = await ServiceProcess.start(place, {
          PORT: String(servicePorts[i]),
          TRUST_PROXY: 'true',
          PUBLIC_URL: `https://${HOST}`,
          SECRET_KEY: 'x'.repeat(40),
          STOP_DELAY_SECONDS: '2',
          RATE_LIMIT_PER_MINUTE: '100000',
        })
      }
      /**
       * Makes an agent that keeps its connections.
       * @param localAddress client address that the proxy sees
       */
      const agentAt = (localAddress = '127.0.0.1', connections?: number, allowH2 = true): Agent => {
        const agent = proxyAgent({ ca, localAddress, connections, allowH2 })
        agents.push(agent)
        return agent
      }
      const call = (path: string, init: Init = {}, dispatcher = agentAt()) =>
        fetchWith(`https://${HOST}:${httpsPort}${path}`, {
          ...init,
          dispatcher,
          headers: { authorization: `Bearer ${ADMIN_KEY}`, ...(init.headers as Record<string, string>) },
        })

      const untilProxied = () => until(async () => (await call('/console')).status < 500, 'the proxy finds the service')

      before(async () => {
        folder = mkdtempSync(join(tmpdir(), 'knowledge-proxy-'))
        chmodSync(folder, 0o755)
        const { certificate } = makeCertificate(folder)
        ca = readFileSync(certificate)
        place = await postgres!.createMigrated()
        servicePorts = [await freePort(), await freePort()]
        httpsPort = await freePort()
        await startService(0)
        await startService(1)
        daemon = await proxy.start({ folder, httpsPort, httpPort: await freePort(), servicePorts })
      })
      after(async () => {
        await Promise.all(agents.map((agent) => agent.destroy()))
        await daemon.stop()
        await Promise.all(services.map((service) => service.kill()))
        await place.remove()
        rmSync(folder, { recursive: true, force: true })
      })

      test('ends TLS, passes host and scheme on, and keeps probes to itself', async () => {
        const metadata = await call('/.well-known/oauth-authorization-server')
        assert.equal(((await metadata.json()) as { issuer: string }).issuer, `https://${HOST}`)
        const signIn = await call('/api/auth/session', { headers: { authorization: '' } })
        assert.notEqual(signIn.status, 502)
        for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal((await call(path)).status, 404, path)
      })

      test('tells the service whose address it is, whatever the client claims', async () => {
        const guess = async (address: string): Promise<number> => {
          const headers = { authorization: 'Bearer ks_wrong', 'x-forwarded-for': '203.0.113.9' }
          return (await call(`${ENTRIES}?limit=1`, { headers }, agentAt(address))).status
        }
        await services[1].stop()
        await services[0].stop()
        const limited = { RATE_LIMIT_PER_MINUTE: '3', STOP_DELAY_SECONDS: '0' }
        services[0] = await ServiceProcess.start(place, {
          PORT: String(servicePorts[0]),
          TRUST_PROXY: 'true',
          PUBLIC_URL: `https://${HOST}`,
          SECRET_KEY: 'x'.repeat(40),
          ...limited,
        })
        // A proxy with health checks looks again every second.
        await untilProxied()
        const guesses = []
        for (let i = 0; i < 5; i++) guesses.push(await guess('127.0.0.2'))
        assert.deepEqual(guesses, [401, 401, 401, 429, 429])
        assert.equal(await guess('127.0.0.3'), 401)
        await services[0].stop()
        await startService(0)
        await startService(1)
        await untilProxied()
      })

      test('lets an assistant call tools', async () => {
        const dispatcher = agentAt()
        const client = new Client({ name: 'test', version: '1' })
        const transport = new StreamableHTTPClientTransport(new URL(`https://${HOST}:${httpsPort}/mcp`), {
          requestInit: { headers: { authorization: `Bearer ${ADMIN_KEY}` } },
          fetch: ((url: URL, init: Init) => fetchWith(url, { ...init, dispatcher })) as never,
        })
        await client.connect(transport)
        const { tools } = await client.listTools()
        assert.ok(tools.some(({ name }) => name === 'search_knowledge'))
        await client.close()
      })

      for (const http of proxy.streamsOver)
        test(`lets the lines of a bulk through in both directions at once over ${http}`, async () => {
          const category = (await (await call('/api/knowledge/categories', asJson({ name: http }))).json()) as {
            id: string
          }
          const line = `${JSON.stringify({ title: 'Lamp', content: 'Light', category_id: category.id })}\n`
          const { readable, writable } = new TransformStream<string, string>()
          const writer = writable.getWriter()
          const upload: Init = {
            method: 'POST',
            body: readable.pipeThrough(new TextEncoderStream()),
            duplex: 'half',
            headers: { 'content-type': 'application/x-ndjson' },
          }
          const answer = call(`${ENTRIES}/bulk`, upload, agentAt('127.0.0.1', 1, http === 'HTTP/2'))
          const count = async (lines: number): Promise<void> => {
            while (text.split('\n').length <= lines) {
              const { value, done } = await reader.read()
              assert.ok(!done, text)
              text += new TextDecoder().decode(value)
            }
          }
          await writer.write(line.repeat(100))
          let text = ''
          const reader = (await answer).body!.getReader()
          await count(100)
          await writer.write(line.repeat(150))
          await writer.close()
          await count(250)
          assert.equal(text.match(/"status":"created"/g)?.length, 250)
        })

      test(`costs ${CLIENTS} clients that keep their connections no request while both processes are replaced`, async () => {
        const { id } = (await (await call('/api/knowledge/categories', asJson({ name: 'Two' }))).json()) as {
          id: string
        }
        // Half of them speak HTTP/1.1, half HTTP/2.
        const dispatchers = Array.from({ length: CLIENTS }, (_, n) => agentAt('127.0.0.1', 1, n % 2 === 1))
        const clients = new SteadyClients(CLIENTS, id, (n, path, init) => call(path, init, dispatchers[n]))
        for (const i of [0, 1]) {
          const { code } = await services[i].stop()
          assert.equal(code, 0, services[i].output)
          await startService(i)
          await untilServing(services[i])
        }
        await clients.stop()
        assert.deepEqual(clients.failures, [], daemon.output || 'the proxy printed nothing')
        assert.ok(clients.served > 10 * CLIENTS, `${clients.served} requests are too few`)
      })
    },
  )
}

/** Resolves when a new process has answered a client: a proxy with health checks takes a while to see it. */
async function untilServing(service: ServiceProcess): Promise<void> {
  const answered = async () => String((await service.call('GET', '/metrics', { key: null })).body)
  await until(async () => (await answered()).includes(`route="${ENTRIES}"`), 'the proxy uses the new process')
}
