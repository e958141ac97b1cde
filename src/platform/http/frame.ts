/**
 * The frame of a request: the steps that it takes besides its route's own handler, in one ordered list. Three things are
 * not in the list, because `app.ts` puts them on the route: a list's wait for its page slot (`inPageSlot`, around the
 * handler), the most bytes of a body, and the routes that answer preflights of publishable routes.
 */
import type {
  onRequestHookHandler,
  onSendHookHandler,
  preHandlerHookHandler,
  preParsingHookHandler,
  preValidationHookHandler,
  RouteOptions,
} from 'fastify'
import type { ResolveCaller } from '../access/caller.ts'
import type { ResolveOperator } from '../access/operator.ts'
import type { IpNetwork } from '../throttling/ip-address.ts'
import { compressAnswer } from './answers/compression.ts'
import { answersWatermark, sendWatermark } from './answers/watermark.ts'
import { type BodyDeadlines, demandNdjson, emptyWhenAbsent } from './bodies/bodies.ts'
import { protect } from './caller.ts'
import { nameIgnored } from './ignored-fields.ts'
import type { BulkSlots } from './lines/bulk-slots.ts'
import type { KnownPaths } from './not-found.ts'
import { hideOperators, protectOperators } from './operators.ts'
import type { PageAccess } from './page-access.ts'
import type { RateLimits } from './rate-limit.ts'
import type { HttpApp } from './route.ts'
import type { TenantRates } from './tenant-rates.ts'
import type { HeldMemory } from './transport/held-memory.ts'
import type { Traffic } from './transport/traffic.ts'
import type { Turns } from './transport/turns.ts'

/** The parts of the app that the steps use. */
export interface FrameParts {
  readonly traffic: Traffic
  readonly paths: KnownPaths
  readonly heldMemory: HeldMemory
  readonly turns: Turns
  readonly deadlines: BodyDeadlines
  readonly bulkSlots: BulkSlots
  readonly pages: PageAccess
  readonly resolveCaller: ResolveCaller
  readonly resolveOperator: ResolveOperator
  /** Networks from which operators are served; null for every address. */
  readonly operatorNetworks: readonly IpNetwork[] | null
  /** Null where requests are not limited. */
  readonly limits: RateLimits | null
  readonly operatorLimits: RateLimits | null
  /** Counts the requests of tenants that have a quota. */
  readonly rates: TenantRates
  readonly compressesAnswers: boolean
}

/** The phases in which Fastify runs a step, in this order. The route's handler runs between the last two. */
interface Hooks {
  readonly onRequest: onRequestHookHandler
  readonly preParsing: preParsingHookHandler
  readonly preValidation: preValidationHookHandler
  readonly preHandler: preHandlerHookHandler
  readonly onSend: onSendHookHandler
}

type Phase = keyof Hooks

const PHASES: readonly Phase[] = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend']

/**
 * A step. With `always` it runs for every request, also for unknown paths; with `of`, for the routes that get hooks
 * from it.
 */
type Step<P extends Phase = Phase> = P extends Phase
  ? { readonly at: P } & (
      | { readonly always: Hooks[P] | null }
      | { readonly of: (route: RouteOptions) => readonly Hooks[P][] }
    )
  : never

/** Methods whose requests may have a body. */
const BODY_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

const NONE: readonly never[] = []

/**
 * Returns the steps in the order in which a request takes them. Within a phase, steps for every request come before
 * those of routes.
 */
export function frameSteps(parts: FrameParts): readonly Step[] {
  const { traffic, paths, heldMemory, deadlines, bulkSlots, operatorNetworks } = parts
  return [
    // Counts the request, sets the headers of every answer, and refuses what no route should see: faulty framing, too
    // many requests on a connection, overlong addresses, and new requests while the service stops.
    { at: 'onRequest', always: traffic.enter },
    // Answers 404 for the operators' paths to other networks than theirs.
    { at: 'onRequest', always: operatorNetworks === null ? null : hideOperators(operatorNetworks) },
    // Answers 404 or 405 for what has no route, before its body is read.
    { at: 'onRequest', always: paths.refuse },
    // Looks up the caller, and refuses one that may not do this or does too much; then the request waits for its turn.
    { at: 'onRequest', of: (route) => [guardOf(route, parts)] },
    // The route's own hooks, such as headers for other origins.
    { at: 'onRequest', of: ownHooks('onRequest') },
    // Refuses a push of lines whose content type is not NDJSON, and a tenant's push beyond those that may run at once.
    { at: 'onRequest', of: (route) => (route.config?.ndjson === true ? [demandNdjson, bulkSlots.enter] : NONE) },
    // Counts a large body while it arrives, and ends a request whose body takes too long. Pushes of lines do both
    // themselves.
    { at: 'preParsing', of: (route) => (hasBody(route) ? [heldMemory.expectBody, deadlines.watch] : NONE) },
    { at: 'preParsing', of: ownHooks('preParsing') },
    // Here Fastify parses the body. One that may be left out is then empty.
    { at: 'preValidation', of: (route) => (route.config?.bodyOptional === true ? [emptyWhenAbsent] : NONE) },
    { at: 'preValidation', of: ownHooks('preValidation') },
    // Here Fastify validates the body. Then the answer names the fields that nothing reads.
    { at: 'preHandler', of: (route) => (isDocumented(route) ? [nameIgnored] : NONE) },
    { at: 'preHandler', of: ownHooks('preHandler') },
    // The handler has run. Notes when the answer was ready, and ends the connection while the service leaves.
    { at: 'onSend', always: traffic.noteAnswer },
    // Names the watermark of a write, for searches that wait for it.
    { at: 'onSend', of: (route) => (answersWatermark(route) ? [sendWatermark] : NONE) },
    // Compresses large JSON for the clients that accept it.
    { at: 'onSend', always: parts.compressesAnswers ? compressAnswer : null },
    // Counts an answer that has to wait for its reader, and refuses one when its owner holds too much.
    { at: 'onSend', always: heldMemory.takeAnswer },
    { at: 'onSend', of: ownHooks('onSend') },
  ]
}

/** Adds the steps that every request takes. `frameRoute` adds those of routes. */
export function addFrame(app: HttpApp, steps: readonly Step[]): void {
  for (const step of steps) if ('always' in step && step.always !== null) addHook(app, step.at, step.always)
}

/** Gives a route its steps, among which its own hooks have their place. Call it once, when the route is added. */
export function frameRoute(route: RouteOptions, steps: readonly Step[]): void {
  const lists = PHASES.map((phase) => [phase, steps.flatMap((step) => hooksOf(step, phase, route))] as const)
  for (const [phase, hooks] of lists) if (hooks.length > 0) Object.assign(route, { [phase]: hooks })
}

function addHook(app: HttpApp, phase: Phase, hook: Hooks[Phase]): void {
  // Fastify declares one signature for each phase; the pair is right by the type of a step.
  app.addHook(phase as 'onRequest', hook as onRequestHookHandler)
}

function hooksOf(step: Step, phase: Phase, route: RouteOptions): readonly Hooks[Phase][] {
  return step.at === phase && 'of' in step ? step.of(route) : NONE
}

function ownHooks<P extends Phase>(phase: P): (route: RouteOptions) => readonly Hooks[P][] {
  return (route) => [(route[phase] ?? []) as Hooks[P] | Hooks[P][]].flat() as Hooks[P][]
}

function guardOf(route: RouteOptions, parts: FrameParts): onRequestHookHandler {
  const { turns, limits, rates, pages, heldMemory, operatorLimits, resolveCaller, resolveOperator } = parts
  const config = route.config ?? {}
  if (config.public === true) return (request, _reply, done) => turns.enterRequest(request, done)
  if (config.operator === true) return protectOperators(resolveOperator, operatorLimits, turns)
  return protect(resolveCaller, limits, rates, pages, heldMemory, turns, config.scopes ?? [], config)
}

function hasBody({ method, config }: RouteOptions): boolean {
  return config?.ndjson !== true && [method].flat().some((each) => BODY_METHODS.has(each))
}

/** Tells whether the route is part of the documented interface, whose errors have the common body. */
function isDocumented({ config }: RouteOptions): boolean {
  return config?.hidden !== true && config?.errorBody === undefined
}
