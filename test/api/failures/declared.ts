import type { OpenApiDocument, OpenApiOperation } from '../../../src/platform/reference/openapi.ts'

/** An operation as the OpenAPI document declares it. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

/** Callers whose credential an operation takes. */
export type Audience = 'everybody' | 'tenant' | 'session' | 'operator'

/**
 * Statuses without rows: a storage or a search that is away or full, which `test/faults`, `test/operators/quotas.test.ts`
 * and `test/api/search-capacity.test.ts` bring about.
 */
const OUTAGES: ReadonlySet<number> = new Set([500, 503, 507])

/** Statuses that follow from who may call an operation: every operation of the audience answers them alike. */
const AUDIENCE_STATUSES: Readonly<Record<Audience, readonly number[]>> = {
  everybody: [],
  tenant: [401, 403, 429],
  session: [401, 403, 429],
  operator: [401, 404, 429],
}

/** Statuses that follow from how a request is written. */
const FORM_STATUSES = [413, 415, 422]

/** The operations of a document that clients call, which are those below `/api`. */
export function operationsOf({ paths }: Pick<OpenApiDocument, 'paths'>): Route[] {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
}

/** The name of an operation in a table, such as `getEntry GET /api/knowledge/knowledge-entries/{entry_id}`. */
function nameOf({ method, path, operation }: Route): string {
  return `${operation.operationId} ${method} ${path}`
}

export function audienceOf({ security }: Pick<OpenApiOperation, 'security'>): Audience {
  if (security.length === 0) return 'everybody'
  if (security.some((way) => 'operator' in way)) return 'operator'
  return security.some((way) => 'bearer' in way) ? 'tenant' : 'session'
}

/** The declared statuses that `every-operation.test.ts` asks of all operations alike. */
export function generalStatuses(operation: OpenApiOperation): number[] {
  const audience = audienceOf(operation)
  // The scopes of a search that visitors may ask for decide about its sections, each in words of its own.
  const isOwn = (status: number): boolean =>
    status === 403 && operation['x-publishable'] === true && operation['x-scopes'] === undefined
  return [...AUDIENCE_STATUSES[audience], ...FORM_STATUSES].filter(
    (status) => isDeclared(operation, status) && !isOwn(status),
  )
}

/** The declared statuses that only a row can prove. */
function ownStatuses(operation: OpenApiOperation): number[] {
  const general = new Set(generalStatuses(operation))
  return Object.keys(operation.responses)
    .map(Number)
    .filter((status) => status >= 400 && !OUTAGES.has(status) && !general.has(status))
}

/** The parameters of its path that an operation answers with 404 when they name nothing. */
function missableParameters({ path, operation }: Route): string[] {
  return isDeclared(operation, 404) ? [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name) : []
}

/** Tells whether an operation can fail in a way of its own, so that the table of its resource has it. */
export function needsRows(route: Route): boolean {
  return ownStatuses(route.operation).length + missableParameters(route).length > 0
}

/**
 * Returns the faults that the table of a resource lacks, or has too many of.
 * @param tag of the resource in the document
 * @param table its faults, such as `409 conflict at body.slug`, by the name of their operation
 * @returns one line for each
 */
export function gapsOf(
  document: Pick<OpenApiDocument, 'paths'>,
  tag: string,
  table: ReadonlyMap<string, readonly string[]>,
): string[] {
  const operations = operationsOf(document).filter(({ operation }) => operation.tags[0] === tag)
  const names = new Set(operations.map(nameOf))
  const gaps = operations.flatMap((route) => {
    const name = nameOf(route)
    const faults = table.get(name) ?? []
    const proofs = new Set(faults.map((fault) => Number.parseInt(fault, 10)))
    const parameters = missableParameters(route)
    const statuses = ownStatuses(route.operation)
      .filter((status) => !proofs.has(status) && (status !== 404 || parameters.length === 0))
      .map((status) => `${name} declares ${status}, and no row provokes it`)
    const places = parameters
      .map((parameter) => `404 not_found at path.${parameter}`)
      .filter((fault) => !faults.includes(fault))
      .map((fault) => `${name} has no row with ${fault}`)
    const others = [...proofs]
      .filter((status) => !isDeclared(route.operation, status))
      .map((status) => `${name} has a row with ${status}, which it does not declare`)
    return [...statuses, ...places, ...others]
  })
  const strangers = [...table.keys()].filter((name) => !names.has(name))
  return [...gaps, ...strangers.map((name) => `${name} is no operation of ${tag}`)]
}

/** The file that has the table of a resource. */
export function fileOf(tag: string): string {
  return `${tag.toLowerCase().replaceAll(' ', '-')}.failures.test.ts`
}

function isDeclared({ responses }: OpenApiOperation, status: number): boolean {
  return Object.hasOwn(responses, String(status))
}
