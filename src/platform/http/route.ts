/**
 * How a route is declared. A domain's `routes.ts` exports one function that takes its rules and returns
 * a `RoutePlugin`; `app.ts` calls it with the app. A route is method, path, contract, scopes and one
 * call into the rules:
 *
 * ```ts
 * export function categoryRoutes(rules: CategoryRules): RoutePlugin {
 *   return (app) => {
 *     app.route({
 *       method: 'POST',
 *       url: '/api/knowledge/categories',
 *       schema: {
 *         operationId: 'createCategory',
 *         tags: ['Categories'],
 *         summary: 'Create a category',
 *         body: CategoryCreate, // contracts come from `Contract('CategoryCreate', {...})` in platform/contract/schema.ts
 *         response: { 201: Category },
 *       },
 *       config: { scopes: ['categories:write'], errors: [409] },
 *       handler: async (request, reply) => {
 *         const category = await rules.create(request.caller, request.body) // body is typed by the contract
 *         reply.code(201).header('location', `/api/knowledge/categories/${category.id}`)
 *         return category
 *       },
 *     })
 *   }
 * }
 * ```
 *
 * - `schema`: `params`, `querystring`, `headers` and `body` are object contracts; `response` lists the answers
 *   of success only. Header names are written in lower case. A contract made with `Contract(name, …)` becomes a component of that name in OpenAPI.
 *   Queries, paths and headers are coerced from text, bodies are not. A list in a query takes one or many.
 * - `config.scopes`: every one of them is needed. `config.public: true`: no credential, and no `request.caller`.
 * - `config.operator: true`: the route takes an operator's credential alone, and sets `request.operator` instead of
 *   `request.caller`.
 * - `config.errors`: statuses of this route's own refusals, for the documentation (404, 409, 412 …). Statuses that
 *   follow from the declaration (401, 403, 413, 415, 422, 429, 503 …) are added automatically.
 * - `config.refusal`: the contract of refusals that a protocol prescribes, which this route gives beside the common
 *   ones; for the documentation.
 * - `config.bestEffort: true`: while storage cannot look up the credential, the request continues with
 *   `request.caller` null. For routes that must never report an outage of storage.
 * - `config.optional`: without a credential of that kind, `bearer` or `session`, `request.caller` is null.
 * - `config.beforeSecondFactor: true`: the route also serves a session whose person has to set up a second factor first.
 * - `config.form: true`: the body is a form (application/x-www-form-urlencoded) instead of JSON; fields without a value
 *   are left out.
 * - `config.bodyOptional: true`: the body may be left out, and `request.body` is then empty, for clients
 *   from before the route took one.
 * - `config.mergePatch: true`: the body is a JSON merge patch (RFC 7396) and may say so in its content type,
 *   application/merge-patch+json instead of application/json.
 * - `config.readsOnly: true`: a POST that changes nothing, so its answer may be refused to clients with unread answers.
 * - `config.hidden: true` leaves a route out of the documentation.
 * - `config.ndjson: true`: the body must be application/x-ndjson and `request.body` is the raw stream without a
 *   size limit, for a few requests of a tenant at once; read it with `ndjsonLines` (platform/lines/ndjson.ts). Declare no
 *   `schema.body`; `config.ndjsonLine` may name the contract of one line for the documentation, and
 *   `config.ndjsonAnswer` those of the lines of the answer.
 * - `config.requestHeaders`, `config.answerHeaders`: headers that the handler reads and sets, for the
 *   documentation; `openapi-headers.ts` has their meaning.
 * - `config.exactNumbers`: the top-level `Decimal` fields of the body, whose numbers keep every digit that was sent.
 * - `config.furtherFaults`: the call into the rules that finds further faults of a body that breaks its contract, so
 *   that one answer lists all faults. It gets unchecked fields.
 * - `config.errorBody`, `config.challenge`: the body and the WWW-Authenticate header of refusals, on a route whose
 *   protocol prescribes its own.
 * - Refuse by throwing a `Fault`; `platform/http/errors.ts` turns it into the answer. Handlers never format errors.
 *   A 204 is `response: { 204: NoContent }` and an async handler that sets `reply.code(204)` and returns nothing.
 */
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
} from 'fastify'
import type { RawServerDefault } from 'fastify'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import type { Caller } from '../access/caller.ts'
import type { Operator } from '../access/operator.ts'
import type { Scope } from '../access/scopes.ts'
import type { Fault, FaultDetail } from '../faults.ts'
import type { AnswerHeaderName, RequestHeaderName } from '../reference/openapi-headers.ts'

export type HttpApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Adds routes to the app. Called once, before the app listens. */
export type RoutePlugin = (app: HttpApp) => void

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller. Set before the handler of every route that is not public. */
    caller: Caller
    /**
     * Checks the credential and the route's scopes again, during a long request.
     * @throws Fault when the credential is no longer valid
     */
    renewCaller: () => Promise<Caller>
    /** The operator. Set before the handler of every route with `config.operator`, and of no other. */
    operator: Operator
  }
  interface FastifyContextConfig {
    scopes?: readonly Scope[]
    public?: boolean
    operator?: boolean
    ndjson?: boolean
    ndjsonLine?: TSchema
    ndjsonAnswer?: readonly TSchema[]
    requestHeaders?: readonly RequestHeaderName[]
    answerHeaders?: readonly AnswerHeaderName[]
    exactNumbers?: ReadonlySet<string>
    furtherFaults?: (request: FastifyRequest) => Promise<readonly Fault[]>
    errors?: readonly number[]
    refusal?: TSchema
    bestEffort?: boolean
    optional?: 'bearer' | 'session'
    beforeSecondFactor?: boolean
    form?: boolean
    bodyOptional?: boolean
    mergePatch?: boolean
    readsOnly?: boolean
    hidden?: boolean
    errorBody?: (details: readonly FaultDetail[], status: number, request: FastifyRequest) => string
    challenge?: (fault: Fault, request: FastifyRequest) => string
  }
  interface FastifySchema {
    operationId?: string
    tags?: readonly string[]
    summary?: string
    description?: string
    deprecated?: boolean
  }
}
