import type { Schema } from '../contract/check-faults.ts'
import { FORM_TYPE } from '../contract/media-types.ts'
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts'
import { INTRODUCTION } from './introduction.ts'
import { table } from './markdown.ts'
import { accessWords, answerParts, answersOf, operationsByTag, type Listed } from './operations.ts'
import { fieldsOf, limitWords, typeWords, type FieldRow } from '../contract/schema-words.ts'

/**
 * The API reference as Markdown: one section per tag, then the contracts. The same document always gives the same text.
 */
export function renderApiMarkdown(document: OpenApiDocument): string {
  const sections = [...operationsByTag(document)].map(([tag, listed]) =>
    [`## ${tag}`, ...listed.map((each) => renderOperation(each))].join('\n\n'),
  )
  const contracts = Object.entries(document.components.schemas).map(([name, schema]) => renderContract(name, schema))
  const head = [
    `# ${document.info.title} API`,
    document.info.summary,
    'This page is generated from the contracts; do not edit it.',
    INTRODUCTION,
  ]
  return `${[...head, ...sections, '## Contracts', ...contracts].join('\n\n')}\n`
}

const link = (name: string) => `[${name}](#${name.toLowerCase()})`

function renderOperation({ method, path, operation }: Listed): string {
  const pages = operation['x-publishable'] === true ? '; open to publishable keys' : ''
  const parts = [`### ${operation.summary}`, `\`${method} ${path}\` — scope: ${accessWords(operation)}${pages}`]
  if (operation.deprecated === true) parts.push('Deprecated.')
  if (operation.description !== undefined) parts.push(operation.description)
  const parameters = (operation.parameters ?? []).map((each): string[] => [
    `\`${each.name}\` (${each.in})`,
    typeWords(each.schema, link),
    each.required ? 'yes' : 'no',
    [each.description ?? '', ...limitWords(each.schema)].filter((word) => word !== '').join('; '),
  ])
  if (parameters.length > 0) parts.push(table(['Parameter', 'Type', 'Required', 'Notes'], parameters))
  for (const [type, { schema }] of Object.entries(operation.requestBody?.content ?? {})) {
    parts.push(`Body (${type}): ${typeWords(schema, link)}`)
    if (schema.properties !== undefined) parts.push(fieldTable(fieldsOf(schema)))
  }
  parts.push(exampleBlock({ method, path, operation }))
  const { own, errors } = answersOf(operation)
  parts.push(table(['Status', 'Answer'], own.map(answerRow)), `Errors: ${errors.join(', ')}`)
  return parts.join('\n\n')
}

/** The request of an operation's example: its line, then its body. Headers are the same everywhere. */
function exampleBlock({ method, path, operation }: Listed): string {
  const query = new URLSearchParams()
  let address = path
  for (const { name, in: place, example } of operation.parameters ?? []) {
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(textOf(example)))
    else if (example !== undefined) query.append(name, textOf(example))
  }
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(([type, { example }]) =>
    exampleBody(type, example),
  )
  const lines = [`${method} ${address}${query.size === 0 ? '' : `?${query.toString()}`}`, ...bodies]
  return ['```http', ...lines, '```'].join('\n')
}

const textOf = (example: unknown) => (typeof example === 'string' ? example : JSON.stringify(example))

function exampleBody(type: string, example: unknown): string {
  if (typeof example === 'string') return example
  if (type === FORM_TYPE) return String(new URLSearchParams(example as Record<string, string>))
  return JSON.stringify(example, null, 2)
}

function answerRow([status, response]: [string, OpenApiOperation['responses'][string]]): string[] {
  const { description, type, schema, headers } = answerParts(response)
  const body = schema === undefined ? '' : `: ${typeWords(schema, link)}${type === null ? '' : `, as ${type}`}`
  const names = headers.map((name) => `\`${name}\``).join(', ')
  return [status, `${description}${body}${names === '' ? '' : `; headers ${names}`}`]
}

function renderContract(name: string, schema: Schema): string {
  const parts = [`### ${name}`]
  if (typeof schema.description === 'string') parts.push(schema.description)
  const fields = fieldsOf(schema)
  parts.push(fields.length > 0 ? fieldTable(fields) : [typeWords(schema, link), ...limitWords(schema)].join('; '))
  const variants = (schema.oneOf ?? []) as Schema[]
  if (variants.length > 0) parts.push(`Together, by \`type\`: ${variants.map(variantWords).join('; ')}.`)
  return parts.join('\n\n')
}

/** A variant by its name, or its type and what goes with it. */
function variantWords(variant: Schema): string {
  if (typeof variant.$ref === 'string') return typeWords(variant, link)
  const [type, ...others] = fieldsOf(variant)
  const words = others.map(({ name, schema }) => `\`${name}\` ${typeWords(schema, link)}`)
  return `\`${String(type.schema.const)}\` with ${words.join(' and ')}`
}

/** A field, and the fields of an object that stands in it or in its list without a name of its own. */
function withMembers(field: FieldRow): FieldRow[] {
  const { name, schema } = field
  const items = schema.items as Schema | undefined
  const [inside, mark] = items?.properties === undefined ? [schema, ''] : [items, '[]']
  const members = fieldsOf(inside).map((member) => ({ ...member, name: `${name}${mark}.${member.name}` }))
  return [field, ...members.flatMap(withMembers)]
}

function fieldTable(fields: readonly FieldRow[]): string {
  const rows = fields.flatMap(withMembers).map(({ name, isRequired, schema }) => {
    const description = typeof schema.description === 'string' ? [schema.description] : []
    const notes = [...description, ...limitWords(schema)].join('; ')
    return [`\`${name}\``, typeWords(schema, link), isRequired ? 'yes' : 'no', notes]
  })
  return table(['Field', 'Type', 'Required', 'Notes'], rows)
}
