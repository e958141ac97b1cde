import { randomBytes } from 'node:crypto'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify'
import type { FastifyHttpOptions, RawServerDefault, RouteOptions } from 'fastify'
import type { ResolveCaller } from '../access/caller.ts'
import type { ResolveOperator } from '../access/operator.ts'
import { unauthorized } from '../faults.ts'
import { acceptBodies, BodyDeadlines } from './bodies/bodies.ts'
import { BulkSlots } from './lines/bulk-slots.ts'
import { addFrame, frameRoute, frameSteps } from './frame.ts'
import { validatorCompiler } from '../contract/check.ts'
import { answerClientError, answerOddRequests } from './transport/client-errors.ts'
import { Connections, idleTimeoutFor } from './transport/connections.ts'
import { sendError } from './errors.ts'
import { answerLogger, type RequestLogOptions } from './request-log.ts'
import { HeldMemory } from './transport/held-memory.ts'
import { KnownPaths } from './not-found.ts'
import { type IsOriginAllowed, PageAccess } from './page-access.ts'
import { isPublishableRoute } from '../access/publishable-routes.ts'
import { Documentation } from '../reference/openapi.ts'
import { BODY_BYTES_MAX, isOpen, OPEN_BODY_BYTES_MAX } from './bodies/body-limits.ts'
import { inPageSlot, isList } from './answers/send-page.ts'
import { RateLimits } from './rate-limit.ts'
import { requestIds } from './request-id.ts'
import type { HttpApp } from './route.ts'
import { compileSerialiser } from '../contract/serialise.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { WatermarkNames } from './answers/watermark-names.ts'
import { type NoteWork, Traffic, type Observe } from './transport/traffic.ts'
import { TenantRates } from './tenant-rates.ts'
import { Turns } from './transport/turns.ts'
import type { IpNetwork } from '../throttling/ip-address.ts'
import { trustOf, type TrustedProxies } from '../throttling/trusted-proxies.ts'

export interface HttpOptions {
  readonly resolveCaller: ResolveCaller
  /** Looks up the operator of a credential; by default there are no operators. */
  readonly resolveOperator?: ResolveOperator
  /** Networks from which operators are served; null or absent for every address. */
  readonly operatorNetworks?: readonly IpNetwork[] | null
  /** Requests a minute of one operator, and refused operator credentials of one address; 0 turns both limits off. */
  readonly operatorRateLimitPerMinute?: number
  /** Base address that clients use. */
  readonly publicUrl: string
  /** A pino logger made with `logSettings`; without it nothing is logged. At level `debug` every request is logged. */
  readonly logger?: FastifyBaseLogger
  /** Which requests are logged at other levels; by default none. */
  readonly requestLog?: RequestLogOptions
  readonly bodyBytesMax?: number
  /** Proxies in front of the service whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  readonly trustProxy?: TrustedProxies
  /** Whether JSON is compressed for clients that accept it; true by default. */
  readonly compressesAnswers?: boolean
  /** Requests a minute of one credential, and refused credentials of one address; 0 turns both limits off. */
  readonly rateLimitPerMinute?: number
  /** Requests a minute of one address with a publishable key, and its preflights; 0 for no limit. */
  readonly publishableRateLimitPerMinute?: number
  /** Counts the requests of tenants that have a quota of requests, among them searches that routes count themselves. */
  readonly tenantRates?: TenantRates
  /** Decides which origins may use publishable keys; by default none. */
  readonly isOriginAllowed?: IsOriginAllowed
  /** Time in which all headers must arrive, and likewise a JSON body. */
  readonly headersTimeoutMs?: number
  readonly bodyTimeoutMs?: number
  /** A connection without traffic is closed after this time, even during a request; by default `idleTimeoutFor(0)`. */
  readonly idleTimeoutMs?: number
  /** A connection whose client reads nothing of an answer is closed after this time. */
  readonly unreadTimeoutMs?: number
  /** Connections of one address at the same time; 0 for no limit. */
  readonly connectionsPerAddress?: number
  /** Tracing that receives the spans of requests; by default none. */
  readonly tracing?: Tracing | null
  /** Returns the secret with which watermarks are named; by default one that ends with the app. */
  readonly watermarkKey?: () => Buffer
  /** Returns the secrets before, with which watermarks may still be named; by default none. */
  readonly formerWatermarkKeys?: () => readonly Buffer[]
  /** Called after each answer, for metrics. */
  readonly observe?: Observe
  /** Called after each answer to a tenant's caller. */
  readonly noteWork?: NoteWork
}

declare module 'fastify' {
  interface FastifyInstance {
    traffic: Traffic
    /** Names of watermarks, as answers have them. */
    watermarks: WatermarkNames
    documentation: Documentation
    heldMemory: HeldMemory
    turns: Turns
    /** Whether clients reach the service by https, for example through a proxy that ends TLS. */
    isPublicOverTls: boolean
  }
}

const HEADER_BYTES_MAX = 16_384

/** Returns the HTTP app without routes: callers, checks, bodies, errors, limits, documentation. See `route.ts`. */
export function createHttp(options: HttpOptions): HttpApp {
  const headersTimeout = options.headersTimeoutMs ?? 10_000
  const isTrusted = trustOf(options.trustProxy ?? false)
  const perAddress = options.connectionsPerAddress ?? 256
  const connections = new Connections({
    perAddress,
    isProxy: (address) => isTrusted !== false && isTrusted(address, 0),
    idleTimeoutMs: options.idleTimeoutMs ?? idleTimeoutFor(0),
    unreadTimeoutMs: options.unreadTimeoutMs ?? 30_000,
  })
  const app: HttpApp = Fastify({
    ...(options.logger === undefined ? {} : { loggerInstance: options.logger }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    bodyLimit: options.bodyBytesMax ?? BODY_BYTES_MAX,
    trustProxy: isTrusted,
    connectionTimeout: connections.quietMs,
    keepAliveTimeout: 65_000,
    requestTimeout: 0,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    http: {
      IncomingMessage: connections.requestClass,
      maxHeaderSize: HEADER_BYTES_MAX,
      // `framingFault` refuses a missing Host header with our error body.
      requireHostHeader: false,
      headersTimeout,
      connectionsCheckingInterval: Math.min(headersTimeout, 5_000),
    },
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => sendError(error, request as FastifyRequest, reply as FastifyReply),
  } satisfies FastifyHttpOptions<RawServerDefault>).withTypeProvider<TypeBoxTypeProvider>()
  const logAnswer = answerLogger(options.requestLog ?? null)
  const traffic = new Traffic(options.observe ?? null, logAnswer, options.tracing, options.noteWork, (socket) =>
    connections.stopReading(socket),
  )
  const documentation = new Documentation(options.publicUrl)
  const paths = new KnownPaths()
  const heldMemory = new HeldMemory()
  const turns = new Turns()
  const pages = new PageAccess(options.publishableRateLimitPerMinute ?? 0, options.isOriginAllowed ?? refuseOrigin)

  app.decorate('traffic', traffic)
  app.decorate('heldMemory', heldMemory)
  app.decorate('turns', turns)
  app.decorate('documentation', documentation)
  const ownKey = randomBytes(32)
  app.decorate('watermarks', new WatermarkNames(options.watermarkKey ?? (() => ownKey), options.formerWatermarkKeys))
  app.decorate('isPublicOverTls', options.publicUrl.startsWith('https:'))
  app.decorateRequest('memoryShare', null)
  app.decorateRequest('record', null as never)
  app.decorateRequest('caller', null as never)
  app.decorateRequest('renewCaller', null as never)
  app.decorateRequest('operator', null as never)
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(({ schema }) => compileSerialiser(schema as object))
  app.setErrorHandler(sendError)
  app.setNotFoundHandler(paths.answer)
  acceptBodies(app, heldMemory, turns)
  const steps = frameSteps({
    traffic,
    paths,
    heldMemory,
    turns,
    deadlines: bodyDeadlines(app, options.bodyTimeoutMs ?? 30_000, perAddress),
    bulkSlots: new BulkSlots(),
    pages,
    resolveCaller: options.resolveCaller,
    resolveOperator: options.resolveOperator ?? refuseOperator,
    operatorNetworks: options.operatorNetworks ?? null,
    limits: limitsOf(options.rateLimitPerMinute),
    operatorLimits: limitsOf(options.operatorRateLimitPerMinute),
    rates: options.tenantRates ?? new TenantRates(),
    compressesAnswers: options.compressesAnswers ?? true,
  })
  addFrame(app, steps)
  answerOddRequests(app.server)
  connections.guard(app.server, app.log)
  traffic.guard(app.server)
  app.addHook('onRoute', (route) => {
    paths.add(route.url, route.method)
    documentation.add(route)
    frameRoute(route, steps)
    if (isList(route)) route.handler = inPageSlot(route.handler)
    if (isOpen(route)) route.bodyLimit = OPEN_BODY_BYTES_MAX
    route.schema = runtimeSchema(route)
    // Browsers ask for the methods of a publishable route, and never for HEAD.
    const { method } = route
    if (typeof method === 'string' && method !== 'HEAD' && isPublishableRoute(method, route.url)) {
      pages.answerPreflights(app, route.url, method)
    }
  })
  return app
}

/** Returns deadlines of bodies whose timer stops when the app closes. */
function bodyDeadlines(app: HttpApp, timeoutMs: number, connectionsPerAddress: number): BodyDeadlines {
  // Bodies that take a while leave half of an address's connections to other requests.
  const perAddress = connectionsPerAddress === 0 ? Infinity : Math.ceil(connectionsPerAddress / 2)
  const deadlines = new BodyDeadlines(timeoutMs, perAddress)
  app.addHook('onClose', (_app, done) => {
    deadlines.close()
    done()
  })
  return deadlines
}

/** Returns the rate limits; null for none. */
function limitsOf(perMinute = 0): RateLimits | null {
  return perMinute > 0 ? new RateLimits(perMinute) : null
}

const refuseOperator: ResolveOperator = () =>
  Promise.reject(unauthorized(['header', 'authorization'], 'There are no operators'))

const refuseOrigin: IsOriginAllowed = () => Promise.resolve(false)

/**
 * Returns the schemas that Fastify needs at run time. It needs none for the answers of errors, because `errors.ts`
 * writes those.
 */
function runtimeSchema({ schema }: RouteOptions): RouteOptions['schema'] {
  if (schema?.response === undefined) return schema
  const answers = Object.entries(schema.response as Record<string, unknown>)
  const successes = answers.filter(([status]) => status.startsWith('2') && status !== '204')
  return { ...schema, response: Object.fromEntries(successes) }
}
