import type { FastifyContextConfig, RouteOptions } from 'fastify'
import { isPublishableRoute } from '../access/publishable-routes.ts'
import type { Schema } from '../contract/check-faults.ts'
import { FORM_TYPE, JSON_TYPE, MERGE_PATCH_TYPE, NDJSON_TYPE } from '../contract/media-types.ts'
import { exampleOf } from './examples.ts'
import { answersOfRoute } from './openapi-answers.ts'
import { STANDARD_ERRORS } from './openapi-errors.ts'
import { HEADER_COMPONENTS, headerParametersOf, type HeaderReferences } from './openapi-headers.ts'
import { documented } from './openapi-schemas.ts'
import { INTRODUCTION, SUMMARY, withoutLinks } from './introduction.ts'
import { VERSION } from '../version.ts'

export type OpenApiDocument = Record<string, unknown> & {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>
    readonly securitySchemes: Schema
  }
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly 'x-scopes'?: readonly string[]
  /** Whether publishable keys may call the operation. */
  readonly 'x-publishable'?: true
  readonly parameters?: readonly OpenApiParameter[]
  readonly requestBody?: OpenApiBody
  readonly responses: Readonly<Record<string, OpenApiResponse>>
}

interface OpenApiBody {
  readonly required: boolean
  readonly content: Readonly<Record<string, OpenApiContent>>
}

export interface OpenApiContent {
  readonly schema: Schema
  readonly example?: unknown
}

export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
  readonly style?: string
  readonly explode?: boolean
}

export interface OpenApiResponse {
  readonly description: string
  readonly headers?: HeaderReferences
  readonly content?: Readonly<Record<string, OpenApiContent>>
}

/** Collects routes as they are declared, and describes them in OpenAPI 3.1. */
export class Documentation {
  private readonly routes: RouteOptions[] = []
  private readonly publicUrl: string
  private text: string | null = null

  constructor(publicUrl: string) {
    this.publicUrl = publicUrl
  }

  /** Adds a route with its contracts. HEAD routes are left out because they follow from GET. */
  add(route: RouteOptions): void {
    if (route.config?.hidden === true || route.method === 'HEAD' || route.schema?.operationId === undefined) return
    this.routes.push({ ...route })
    this.text = null
  }

  /** Builds the document, anew on each call. */
  document(): OpenApiDocument {
    const schemas: Record<string, Schema> = {}
    const paths: Record<string, Record<string, OpenApiOperation>> = {}
    for (const route of this.routes) {
      const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
      paths[path] ??= {}
      for (const [i, method] of [route.method].flat().entries()) {
        const operation = operationOf({ ...route, method }, schemas)
        // Operation ids must be unique. When a route has several methods, the first one keeps the declared id.
        const operationId = i === 0 ? operation.operationId : `${operation.operationId}With${capitalised(method)}`
        paths[path][method.toLowerCase()] = { ...operation, operationId }
      }
    }
    const named = (name: string, schema: Schema) => (schemas[name] ??= schema)
    named('Error', STANDARD_ERRORS.schema)
    return {
      openapi: '3.1.0',
      info: {
        title: 'Knowledge Service',
        version: VERSION,
        summary: SUMMARY,
        description: withoutLinks(INTRODUCTION),
      },
      servers: [{ url: this.publicUrl }],
      tags: [...new Set(this.routes.flatMap((route) => route.schema?.tags ?? []))].map((name) => ({ name })),
      paths,
      components: {
        schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
        headers: HEADER_COMPONENTS,
        securitySchemes: SECURITY_SCHEMES,
      },
    }
  }

  /** Returns the document as JSON text, built once. */
  json(): string {
    return (this.text ??= JSON.stringify(this.document()))
  }
}

/** Kinds of credential; any one is enough. */
const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an access token' },
  operator: { type: 'http', scheme: 'bearer', description: 'The credential of an operator, `op_…`' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'ks_session',
    description:
      'Somebody who has signed in in a browser. Where clients reach the service by https, its name is ' +
      '`__Host-ks_session`. Writes must come from a page of the same origin.',
  },
}

const capitalised = (word: string) => `${word[0].toUpperCase()}${word.slice(1).toLowerCase()}`

function operationOf(route: RouteOptions, schemas: Record<string, Schema>): OpenApiOperation {
  const schema = route.schema ?? {}
  const config = route.config ?? {}
  const parameters = parametersOf(route, schemas)
  const body = bodyOf(route, schemas)
  const scopes = config.scopes ?? []
  return {
    operationId: schema.operationId as string,
    tags: [...(schema.tags ?? [])],
    summary: schema.summary ?? (schema.operationId as string),
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(schema.deprecated === true ? { deprecated: true } : {}),
    security: securityOf(config),
    ...(scopes.length === 0 ? {} : { 'x-scopes': scopes }),
    ...(isPublishableRoute(String(route.method), route.url) ? { 'x-publishable': true as const } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === null ? {} : { requestBody: body }),
    responses: answersOfRoute(route, schemas),
  }
}

function securityOf({
  public: isPublic,
  operator,
  optional,
  scopes = [],
}: FastifyContextConfig): OpenApiOperation['security'] {
  if (isPublic === true) return []
  if (operator === true) return [{ operator: [] }]
  // Such a route takes only a session, and no other credential.
  if (optional === 'session') return [{ session: [] }]
  const ways: OpenApiOperation['security'] = [{ bearer: [...scopes] }, { session: [...scopes] }]
  return optional === undefined ? ways : [...ways, {}]
}

function parametersOf(route: RouteOptions, schemas: Record<string, Schema>): OpenApiParameter[] {
  const { schema } = route
  return [
    ...parametersIn('path', schema?.params, schemas),
    ...parametersIn('query', schema?.querystring, schemas),
    ...parametersIn('header', schema?.headers, schemas),
    ...headerParametersOf(route),
  ]
}

function parametersIn(part: OpenApiParameter['in'], contract: unknown, schemas: Record<string, Schema>) {
  const { properties = {}, required = [] } = (contract ?? {}) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]): OpenApiParameter => {
    const { description, ...schema } = documented(field, schemas)
    const isRequired = part === 'path' || required.includes(name)
    return {
      name,
      in: part,
      required: isRequired,
      ...(typeof description === 'string' ? { description } : {}),
      schema,
      // A reader who tries an operation out sends the examples, so those of optional parameters would narrow its answer.
      ...(isRequired ? { example: exampleOf(field, 'request', name) } : {}),
      ...(part === 'query' && schema.type === 'array' ? { style: 'form', explode: true } : {}),
    }
  })
}

function bodyOf({ schema, config }: RouteOptions, schemas: Record<string, Schema>): OpenApiBody | null {
  if (config?.ndjson === true) {
    const line = config.ndjsonLine === undefined ? {} : documented(config.ndjsonLine, schemas)
    const description = 'One JSON document a line'
    const example = config.ndjsonLine === undefined ? '{}' : JSON.stringify(exampleOf(config.ndjsonLine, 'request'))
    return { required: true, content: { [NDJSON_TYPE]: { schema: { description, ...line }, example } } }
  }
  if (schema?.body === undefined) return null
  const types =
    config?.form === true ? [FORM_TYPE] : config?.mergePatch === true ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE]
  const content = { schema: documented(schema.body, schemas), example: exampleOf(schema.body, 'request') }
  return { required: config?.bodyOptional !== true, content: Object.fromEntries(types.map((type) => [type, content])) }
}
