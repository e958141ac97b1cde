import { FORM_TYPE, JSON_TYPE, NDJSON_TYPE } from '../contract/media-types.ts'
import { typeWords } from '../contract/schema-words.ts'
import { fieldList, readFields } from './api-fields.ts'
import { isBareId, isCommon, parameterName, parameterRows } from './api-parameters.ts'
import type { NamedValues } from './api-values.ts'
import { SUCCESS } from './openapi-answers.ts'
import { impliedStatuses } from './openapi-errors.ts'
import { gatewayHeadersOf } from './openapi-headers.ts'
import { link } from './markdown.ts'
import type { OpenApiContent, OpenApiOperation, OpenApiParameter } from './openapi.ts'
import { accessWords, answerParts, answersOf, type DocumentedRoute } from './operations.ts'

/** Parameters and lists of values that stand once on the page; operations only name them. */
interface Shared {
  readonly parameters: readonly OpenApiParameter[]
  readonly values: readonly NamedValues[]
}

/** Most characters of an example's body that stands on one line. */
const LINE_CHARACTERS_MAX = 100

/**
 * Renders an operation.
 * @param same operations of one path that differ only in their methods
 */
export function renderOperation(same: readonly DocumentedRoute[], shared: Shared): string {
  const [{ path, operation }] = same
  const pages = operation['x-publishable'] === true ? '; open to publishable keys' : ''
  const lines = same.map(({ method }) => `\`${method} ${path}\``).join(' or ')
  const parts = [`### ${operation.summary}`, `${lines} — scope: ${accessWords(operation)}${pages}`]
  if (operation.deprecated === true) parts.push('Deprecated.')
  if (operation.description !== undefined) parts.push(operation.description)
  parts.push(...parameterParts(same[0], shared))
  for (const [types, { schema }] of bodiesOf(operation)) {
    const isJson = types.length === 1 && types[0] === JSON_TYPE
    parts.push(`Body${isJson ? '' : ` (${types.join(' or ')})`}: ${typeWords(schema, link)}`)
    if (schema.properties !== undefined) parts.push(fieldList(readFields(schema, shared.values)))
  }
  parts.push(...same.map(exampleBlock), answerLines(same[0]))
  return parts.join('\n\n')
}

/** Returns the bodies that an operation takes, each with the content types that it may have. */
function bodiesOf({ requestBody }: OpenApiOperation): [types: string[], body: OpenApiContent][] {
  const bodies = Map.groupBy(Object.entries(requestBody?.content ?? {}), ([, body]) => JSON.stringify(body))
  return Array.from(bodies.values(), (same) => [same.map(([type]) => type), same[0][1]])
}

/** Groups operations that differ in nothing but the method. */
export function sameOperations(listed: readonly DocumentedRoute[]): DocumentedRoute[][] {
  const contentOf = ({ path, operation }: DocumentedRoute) => JSON.stringify([path, { ...operation, operationId: '' }])
  return [...Map.groupBy(listed, contentOf).values()]
}

/**
 * Renders the parameters of an operation: the names of common ones, then its own in full. Those that follow from path
 * and credential are left out.
 */
function parameterParts({ method, operation }: DocumentedRoute, { parameters: common, values }: Shared): string[] {
  const implied = operation.security.some((way) => 'bearer' in way) ? gatewayHeadersOf(method) : []
  const parameters = (operation.parameters ?? []).filter((each) => !implied.includes(each.name) && !isBareId(each))
  const named = parameters.filter((each) => isCommon(each, common))
  const own = parameters.filter((each) => !named.includes(each))
  return [
    ...(named.length === 0 ? [] : [`Takes ${named.map(parameterName).join(', ')}`]),
    ...(own.length === 0 ? [] : [parameterRows(own, values)]),
  ]
}

/**
 * Renders the request of an operation's example: its line, then its body. Headers are left out, because they are the
 * same for all.
 */
function exampleBlock({ method, path, operation }: DocumentedRoute): string {
  const query = new URLSearchParams()
  let address = path
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(textOf(example)))
    else if (example !== undefined) query.append(name, textOf(example))
  }
  const bodies = bodiesOf(operation).map(([[type], { example }]) => exampleBody(type, example))
  const lines = [`${method} ${address}${query.size === 0 ? '' : `?${query.toString()}`}`, ...bodies]
  return ['```http', ...lines, '```'].join('\n')
}

const textOf = (example: unknown) => (typeof example === 'string' ? example : JSON.stringify(example))

function exampleBody(type: string, example: unknown): string {
  if (typeof example === 'string') return example
  if (type === FORM_TYPE) return String(new URLSearchParams(example as Record<string, string>))
  const line = JSON.stringify(example)
  return line.length <= LINE_CHARACTERS_MAX ? line : JSON.stringify(example, null, 2)
}

/** Renders the answers, one a line, then the errors that do not follow from the operation. */
function answerLines({ method, operation }: DocumentedRoute): string {
  const { own, errors } = answersOf(operation)
  const implied = impliedStatuses(shapeOf(method, operation))
  const special = errors.filter((status) => !implied.includes(Number(status)))
  return [...own.map(answerLine), ...(special.length === 0 ? [] : [`- Errors: ${special.join(', ')}`])].join('\n')
}

function shapeOf(method: string, { security, requestBody }: OpenApiOperation) {
  const types = Object.keys(requestBody?.content ?? {})
  return {
    method,
    isPublic: security.length === 0,
    isOfOperator: security.some((way) => 'operator' in way),
    hasBody: types.length > 0,
    hasLines: types.includes(NDJSON_TYPE),
  }
}

function answerLine([status, response]: [string, OpenApiOperation['responses'][string]]): string {
  const { description, type, schema, headers } = answerParts(response)
  const body = schema === undefined ? [] : [`${typeWords(schema, link)}${type === null ? '' : `, as ${type}`}`]
  const parts = [description === SUCCESS[status] ? [] : [description], body, headers.map((name) => `\`${name}\``)]
  const words = parts.map((part) => part.join(', ')).filter((part) => part !== '')
  return `- ${status}${words.length === 0 ? '' : `: ${words.join('; ')}`}`
}
