import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { startTelemetry } from '../../src/platform/telemetry/opentelemetry/start.ts'
import { ADMIN_KEY, ServiceProcess } from '../durability/service-process.ts'
import { Provider } from '../embedding/provider.ts'
import { DATABASES, onAnyDatabase, type TestDatabase } from '../support/databases.ts'
import { skipWithout } from '../support/optional-programs.ts'
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts'
import { found, until } from '../support/patience.ts'

const WITHOUT_PACKAGES = skipWithout('openTelemetry')
const ENTRIES = '/api/knowledge/knowledge-entries'
const SEARCH = `POST ${ENTRIES}/search`
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const SECRET_WORD = 'hunter2'

onAnyDatabase('OpenTelemetry', (kind) => {
  describe('with its packages installed', { skip: WITHOUT_PACKAGES }, () => {
    let place: TestDatabase
    let receiver: OtlpReceiver
    let provider: Provider
    let issuer: Server
    let service: ServiceProcess
    const askedOfIssuer: unknown[] = []

    before(async () => {
      receiver = await OtlpReceiver.start()
      provider = await Provider.start()
      issuer = createServer(({ headers }, response) => {
        askedOfIssuer.push(headers.traceparent)
        response.writeHead(404).end()
      }).listen(0, '127.0.0.1')
      await once(issuer, 'listening')
      place = await kind.createMigrated()
      service = await ServiceProcess.start(place, {
        ...provider.settings('model-a'),
        SIGN_IN_ISSUER: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`,
        SIGN_IN_CLIENT_ID: 'knowledge',
        SIGN_IN_CLIENT_SECRET: SECRET_WORD,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_SERVICE_NAME: 'knowledge-test',
        OTEL_BSP_SCHEDULE_DELAY: '100',
        OTEL_METRIC_EXPORT_INTERVAL: '500',
      })
    })
    after(async () => {
      await service?.stop()
      await receiver.stop()
      await provider.stop()
      issuer.close()
      await place?.remove()
    })

    const spanOf = (what: string, isMeant: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> =>
      found(() => receiver.spans.find(isMeant), `${what} arrives`)
    const childOf = (parent: ReceivedSpan, name: string): Promise<ReceivedSpan> =>
      spanOf(name, (span) => span.name === name && span.parentSpanId === parent.spanId)

    test('a batch of the embedding queue is a trace, with its statements and its call of the provider', async () => {
      const category = (await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })).body.id
      const body = { title: 'Heron', content: `the ${SECRET_WORD} heron`, category_id: category }
      assert.equal((await service.call('POST', ENTRIES, { body })).status, 201)
      const jobs = await spanOf('a batch', ({ name }) => name === 'embedding jobs')
      assert.deepEqual([jobs.parentSpanId, jobs.attributes['knowledge.tenant.id']], [undefined, 'default'])
      const batch = await childOf(jobs, 'embedding batch')
      assert.equal(batch.attributes['knowledge.embedding.purpose'], 'passage')
      const call = await childOf(batch, 'POST embeddings')
      assert.deepEqual([call.kind, call.attributes['http.response.status_code']], [3, 200])
      assert.ok(provider.traceparents.includes(`00-${call.traceId}-${call.spanId}-01`))
      const statements = await childOf(jobs, 'database')
      assert.ok((statements.attributes['db.operation.batch.size'] as number) >= 1)
    })

    test('a request belongs to the trace of its caller, and the provider that it calls belongs to it too', async () => {
      const headers = { traceparent: `00-${TRACE}-${CALLER}-01`, baggage: 'who=me' }
      const body = { query: `${SECRET_WORD} heron`, mode: 'hybrid' }
      assert.equal((await service.call('POST', `${ENTRIES}/search`, { body, headers })).status, 200)
      const request = await spanOf('the request', ({ name, traceId }) => name === SEARCH && traceId === TRACE)
      assert.deepEqual([request.parentSpanId, request.kind, request.isFailed], [CALLER, 2, false])
      assert.equal(request.service, 'knowledge-test')
      assert.equal(request.attributes['http.route'], `${ENTRIES}/search`)
      assert.equal(request.attributes['http.response.status_code'], 200)
      assert.equal(request.attributes['knowledge.tenant.id'], 'default')
      assert.match(String(request.attributes['knowledge.credential.id']), /^[0-9a-f-]{36}$/)

      const database = await childOf(request, 'database')
      assert.equal(database.attributes['db.system.name'], kind.name === 'SQLite' ? 'sqlite' : 'postgresql')
      assert.match(String(database.attributes['db.query.summary']), /^select \w+/)
      const search = await childOf(request, 'search')
      for (const { startNano, endNano } of [database, search]) {
        assert.ok(startNano >= request.startNano - 1_000_000n && endNano <= request.endNano + 1_000_000n)
      }
      const call = await childOf(await childOf(request, 'embedding batch'), 'POST embeddings')
      assert.ok(provider.traceparents.includes(`00-${TRACE}-${call.spanId}-01`))
      assert.ok(!provider.baggage.includes('who=me'), 'what a caller says is not passed on to the provider')
    })

    test('the OpenID provider is told of the trace, and what it refuses is a failed call', async () => {
      assert.equal((await service.call('GET', '/api/knowledge/sign-in-provider')).status, 200)
      const call = await spanOf('the call', ({ name }) => name === 'GET OpenID provider')
      assert.deepEqual([call.isFailed, call.attributes['http.response.status_code']], [true, 404])
      assert.ok(askedOfIssuer.includes(`00-${call.traceId}-${call.spanId}-01`))
    })

    test('the metrics of the service are told under their names, histograms too', async () => {
      const route = (attributes: Readonly<Record<string, unknown>>) => attributes.route === `${ENTRIES}/search`
      const times = await found(
        () => receiver.points.get('http_request_duration_seconds')?.find(({ attributes }) => route(attributes)),
        'the time of a search arrives',
      )
      assert.deepEqual([times.kind, times.value], ['histogram', 1])
      assert.equal(times.counts.length, 15)
      assert.equal(
        times.counts.reduce((sum, count) => sum + count, 0),
        1,
      )
      const searches = receiver.points.get('searches_total')!
      const hybrid = searches.find(({ attributes: { section, mode, degraded } }) =>
        [section === 'knowledge', mode === 'hybrid', degraded === 'false'].every(Boolean),
      )!
      assert.deepEqual([hybrid.kind, hybrid.value], ['sum', 1])
      const [documents] = receiver.points.get('search_index_documents')!
      assert.deepEqual([documents.kind, documents.value], ['gauge', 1])
    })

    test('nothing that is sent has a credential or what people write and ask, and probes are no traces', async () => {
      for (let i = 0; i < 3; i++) await service.call('GET', '/readyz')
      await service.call('GET', ENTRIES)
      await spanOf('the list', ({ name }) => name === `GET ${ENTRIES}`)
      const all = Buffer.concat(receiver.bodies.map(({ bytes }) => bytes)).toString('utf8')
      assert.ok(!all.includes(ADMIN_KEY))
      assert.ok(!all.includes(SECRET_WORD))
      assert.deepEqual(
        receiver.spans.filter(({ name }) => name.includes('/readyz')),
        [],
      )
    })

    test('what is left is sent when the service stops', async () => {
      await service.call('GET', '/api/knowledge/categories')
      // A busy machine may have taken longer than half a second for the metrics of the start, and said so.
      const before = service.output.length
      assert.equal((await service.stop()).code, 0)
      assert.ok(receiver.spans.some(({ name }) => name === 'GET /api/knowledge/categories'))
      assert.doesNotMatch(service.output.slice(before), /OpenTelemetry/)
    })
  })
})

describe('OpenTelemetry besides', () => {
  test('is off unless a variable asks for it, and OTEL_SDK_DISABLED turns it off', () => {
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
    assert.equal(readConfig({}).openTelemetry, null)
    assert.equal(readConfig({ OTEL_SERVICE_NAME: 'x' }).openTelemetry, null)
    assert.deepEqual(readConfig({ ...variables, OTHER: 'y' }).openTelemetry, variables)
    assert.equal(readConfig({ ...variables, OTEL_SDK_DISABLED: 'true' }).openTelemetry, null)
  })

  test('without its packages a warning says how to install them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'knowledge-opentelemetry-'))
    const warnings: string[] = []
    const warn = (message: string) => void warnings.push(message)
    assert.equal(startTelemetry({ registry: null, warn, env: {}, folder }), null)
    assert.equal(warnings.length, 1)
    assert.match(warnings[0], /not installed.*npm ci --prefix opentelemetry --ignore-scripts$/)
    rmSync(folder, { recursive: true })
  })

  test(
    'sends protobuf unless told otherwise, and a receiver that is away harms nothing',
    { skip: WITHOUT_PACKAGES },
    async () => {
      const receiver = await OtlpReceiver.start()
      const place = await DATABASES[0].createMigrated()
      const settings = { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_METRIC_EXPORT_INTERVAL: '200' }
      const service = await ServiceProcess.start(place, { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
      await service.call('GET', ENTRIES)
      for (const [path, text] of [
        ['/v1/traces', `GET ${ENTRIES}`],
        ['/v1/metrics', 'http_request_duration_seconds'],
      ]) {
        const body = await found(
          () => receiver.bodies.find((each) => each.path === path && each.bytes.includes(text)),
          `${path} arrives`,
        )
        assert.equal(body.type, 'application/x-protobuf')
      }
      await receiver.stop()
      assert.equal((await service.call('GET', ENTRIES)).status, 200)
      await until(() => /"level":"warn".*OpenTelemetry: /.test(service.output), 'a warning is logged')
      assert.equal((await service.call('GET', ENTRIES)).status, 200)
      assert.equal((await service.stop()).code, 0)
      await place.remove()
    },
  )
})
