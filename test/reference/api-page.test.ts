import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, typeWords } from '../../src/platform/contract/schema-words.ts'
import { renderApiMarkdown } from '../../src/platform/reference/api-markdown.ts'
import { operationsByTag, type DocumentedRoute } from '../../src/platform/reference/operations.ts'
import { documentOf } from '../../src/app.ts'

const document = documentOf()
const operations = [...operationsByTag(document).values()].flat()
const page = renderApiMarkdown(document)
const [beforeContracts, contractText] = page.split('\n## Contracts\n')

/** The part of the page about each operation, by the method and path of its line. */
const sections = new Map(
  beforeContracts
    .split('\n### ')
    .slice(1)
    .flatMap((text) => [...text.matchAll(/`([A-Z]+ \/\S+)`(?= or | — )/g)].map(([, line]) => [line, text] as const)),
)
/** The part of the page about each contract, and that about common fields, by their headings. */
const contracts = new Map(
  contractText
    .split('\n### ')
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
)

interface FieldOnPage {
  readonly isRequired: boolean
  readonly type: string
}

/**
 * Returns the fields that a reader finds for a contract: those of its base, the common ones that it names, and its own.
 */
function fieldsOnPage(name: string): Map<string, FieldOnPage> {
  const text = contracts.get(name)!
  const fields = new Map<string, FieldOnPage>()
  const [, base, changes = ''] = /^The fields of \[(\w+)\]\(#\w+\)(.*)$/m.exec(text) ?? []
  const left = namesIn(/; without ([^;]*)/.exec(changes)?.[1])
  const remarked = new Map(namesIn(/; with ([^;]*)/.exec(changes)?.[1]).map(unmark))
  for (const [field, { isRequired, type }] of base === undefined ? [] : fieldsOnPage(base)) {
    if (left.includes(field)) continue
    const all = changes.includes(', any of which') ? false : changes.includes(', each of which') ? true : isRequired
    fields.set(field, { type, isRequired: remarked.get(field) ?? all })
  }
  const common = rowsOf(contracts.get('Common fields')!)
  for (const marked of namesIn(/^\[Common fields\]\(#common-fields\): (.*)$/m.exec(text)?.[1])) {
    const [field, isRequired] = unmark(marked)
    fields.set(field, { isRequired, type: common.get(field)!.type })
  }
  for (const [field, row] of rowsOf(text)) fields.set(field, row)
  return fields
}

/** Returns the fields of a table or list, without their members. */
function rowsOf(text: string): Map<string, FieldOnPage> {
  const rows = text.matchAll(/^(?:\| `(\w+\??)` \| ([^|]*?) \||- `(\w+\??)` ([^:\n]*))/gm)
  return new Map(
    [...rows].map(([, inTable, typeInTable, inList, typeInList]) => {
      const [field, isRequired] = unmark(inTable ?? inList)
      return [field, { isRequired, type: typeInTable ?? typeInList }] as const
    }),
  )
}

const namesIn = (text = '') => [...text.matchAll(/`(\w+\??)`/g)].map(([, name]) => name)
const unmark = (name: string) => [name.replace('?', ''), !name.endsWith('?')] as const
const lineOf = ({ method, path }: DocumentedRoute) => `${method} ${path}`

test('the page leads to every field of every contract, with its type and whether it may be absent', () => {
  const link = (name: string) => `[${name}](#${name.toLowerCase()})`
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const expected = fieldsOf(schema).map(({ name: field, isRequired, schema: type }) => [
      field,
      { isRequired, type: typeWords(type, link) },
    ])
    assert.deepEqual(Object.fromEntries(fieldsOnPage(name)), Object.fromEntries(expected), name)
  }
})

test('every operation names the parameters that neither its path nor its credential says', () => {
  const ofGateways = ['X-Scopes', 'X-Audit-Source', 'X-Client-Id']
  for (const operation of operations) {
    const { method, operation: described } = operation
    const text = sections.get(lineOf(operation))!
    const parameters = described.parameters ?? []
    const takesTenantCredential = described.security.some((way) => 'bearer' in way)
    const implied = takesTenantCredential ? ofGateways.slice(0, method === 'GET' ? 1 : 3) : []
    const taken = new Set(parameters.map(({ name }) => name))
    assert.deepEqual(
      ofGateways.filter((name) => taken.has(name)),
      implied,
      lineOf(operation),
    )
    for (const { name, required, in: place, schema } of parameters.filter((each) => !ofGateways.includes(each.name))) {
      const isBareId = place === 'path' && schema.format === 'uuid' && operation.path.includes(`{${name}}`)
      const mark = required ? '' : '?'
      assert.ok(isBareId || text.includes(`\`${name}${mark}\``), `${lineOf(operation)}: ${name}`)
    }
  }
})

test('every operation lists its answers, and the errors that do not follow from its method, body and credential', () => {
  for (const operation of operations) {
    const { method, operation: described } = operation
    const { security, requestBody, responses } = described
    const text = sections.get(lineOf(operation))!
    const types = Object.keys(requestBody?.content ?? {})
    const ofCredential = security.some((way) => 'operator' in way) ? [401, 404, 429] : [401, 403, 429]
    const implied = [
      422,
      500,
      503,
      ...(security.length > 0 ? ofCredential : []),
      ...(types.length > 0 ? [415] : []),
      ...(types.length > 0 && !types.includes('application/x-ndjson') ? [413] : []),
      ...(method === 'GET' ? [] : [507]),
    ].map(String)
    const listed = [...text.matchAll(/^- (\d{3})(?:$|: )/gm)].map(([, status]) => status)
    const errors = /^- Errors: ([\d, ]+)$/m.exec(text)?.[1].split(', ') ?? []
    const onPage = new Set([...listed, ...errors, ...implied])
    assert.deepEqual([...onPage].sort(), Object.keys(responses).sort(), lineOf(operation))
  }
})
