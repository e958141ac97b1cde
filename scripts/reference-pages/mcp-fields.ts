import type { Tool } from '../../src/channels/mcp/tool.ts'
import { allTools, type McpRules } from '../../src/channels/mcp/tools/all.ts'
import type { Schema } from '../../src/platform/contract/check-faults.ts'
import { fieldsOf, limitWords, typeWords } from '../../src/platform/contract/schema-words.ts'
import { page, table } from './markdown.ts'

/** Returns the page on the fields of the tools of assistants: what each takes, and what its structured answer has. */
export function renderMcpFieldsPage(): string {
  return page(
    '# Fields of MCP tools',
    'This page is generated from the tools; do not edit it. [MCP tools](mcp-tools.md) says what they do.',
    'A list of tools shows an assistant the fields it needs, so that the list stays under 10 kB. A tool takes the ' +
      'other fields of its table too, and names all of them when it refuses one that it does not have. An optional ' +
      'field may be left out of an answer.',
    ...allTools({} as McpRules).flatMap(section),
  )
}

function section({ name, listed, inputSchema, outputSchema }: Tool): string[] {
  const listedFields = Object.keys(listed.inputSchema.properties as object)
  const inputRows = rowsOf(inputSchema).map(([path, ...rest]) => [
    path,
    listedFields.includes(plain(path)) ? 'yes' : 'no',
    ...rest,
  ])
  const heads = ['Field', 'Type', 'Required', 'Notes']
  return [
    `## ${name}`,
    listed.description,
    table([heads[0], 'Listed', ...heads.slice(1)], inputRows),
    'The answer:',
    table(heads, rowsOf(outputSchema)),
  ]
}

const plain = (path: string) => path.slice(1, -1)

/** Returns one row for each field. The fields of objects in a list follow the list, such as `hits[].title`. */
function rowsOf(schema: Schema, prefix = ''): string[][] {
  return fieldsOf(schema).flatMap(({ name, isRequired, schema: field }) => {
    const path = `${prefix}${name}`
    const notes = [String(field.description), ...limitWords(field)].join('; ')
    return [
      [`\`${path}\``, typeWords(field, String), isRequired ? 'yes' : 'no', notes],
      ...rowsOf((field.items ?? {}) as Schema, `${path}[].`),
    ]
  })
}
