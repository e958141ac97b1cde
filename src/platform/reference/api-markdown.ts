import { fieldsOf } from '../contract/schema-words.ts'
import { renderContracts } from './api-contracts.ts'
import { renderOperation, sameOperations } from './api-operations.ts'
import { commonParametersOf, parameterRows } from './api-parameters.ts'
import { nameValues } from './api-values.ts'
import { INTRODUCTION } from './introduction.ts'
import { sharedPart } from './markdown.ts'
import type { OpenApiDocument } from './openapi.ts'
import { operationsByTag } from './operations.ts'

/** Rules that hold for operations by their shape; `impliedStatuses` and `gatewayHeadersOf` apply them. */
const READING = [
  'One that names scopes, or any credential, takes `X-Scopes`, and unless its method is GET also `X-Audit-Source` and ' +
    '`X-Client-Id`.',
  'A parameter in the path that is not described is a UUID. A described one stands in the query unless its place is named.',
  'A status without words means done (200), created (201), accepted (202), or done without a body (204).',
  'Every one can answer 422, 500 and 503. One with the credential of an operator can answer 401, 404 and 429, one with any ' +
    'other credential or a session 401, 403 and 429. One with a body can answer 415 and, unless the body is lines, 413; ' +
    'and one whose method is not GET 507. Only further errors are listed.',
]

/**
 * Renders the API reference as Markdown: one section per tag, then the contracts. Parameters, fields and lists of
 * values that many share stand once. The same document always gives the same text.
 */
export function renderApiMarkdown(document: OpenApiDocument): string {
  const byTag = operationsByTag(document)
  const operations = [...byTag.values()].flat()
  const { schemas } = document.components
  const described = [
    ...operations.flatMap(({ operation }) =>
      (operation.parameters ?? []).map(({ name, schema }) => [name, schema] as const),
    ),
    ...Object.values(schemas).flatMap((schema) =>
      fieldsOf(schema).map(({ name, schema: field }) => [name, field] as const),
    ),
  ]
  const { values, valuesTable } = nameValues(described, schemas)
  const parameters = commonParametersOf(operations)
  const groups = [...byTag].map(([tag, listed]) => [tag, sameOperations(listed)] as const)
  const sections = groups.map(([tag, all]) =>
    [`## ${tag}`, ...all.map((same) => renderOperation(same, { parameters, values }))].join('\n\n'),
  )
  const uses = usesOf([groups.flatMap(([, all]) => all.map(([first]) => first.operation)), schemas])
  const page = [
    `# ${document.info.title} API`,
    document.info.summary,
    'This page is generated from the contracts; do not edit it.',
    INTRODUCTION,
    '## How to read an operation',
    'A name with a question mark may be left out. What follows from the credential, the method and the body of an ' +
      'operation stands here alone:',
    READING.map((rule) => `- ${rule}`).join('\n'),
    ...sharedPart(
      '## Common parameters',
      'An operation names those it takes, and describes only its own.',
      parameterRows(parameters, values),
    ),
    ...sharedPart('## Common values', 'Lists of values that parameters and fields refer to.', valuesTable),
    ...sections,
    ...renderContracts(schemas, uses, values),
  ]
  return `${page.join('\n\n')}\n`
}

/** Returns how often operations and contracts refer to each contract, by its name. */
function usesOf(described: unknown): Map<string, number> {
  const references = JSON.stringify(described).matchAll(/"#\/components\/schemas\/(\w+)"/g)
  return new Map([...Map.groupBy(references, ([, name]) => name)].map(([name, { length }]) => [name, length]))
}
