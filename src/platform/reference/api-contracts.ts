import type { Schema } from '../contract/check-faults.ts'
import { fieldsOf, limitWords, typeWords } from '../contract/schema-words.ts'
import { extensionsOf, type Extension } from './api-extensions.ts'
import { type Field, fieldList, isSameField, marked, readFields } from './api-fields.ts'
import { link, sharedPart } from './markdown.ts'
import type { NamedValues } from './api-values.ts'

/**
 * Words that a field must save, and have itself, to stand once among the common fields. A reference must be shorter
 * than the field.
 */
const COMMON = { saved: 20, words: 6 }

/** Renders the fields that many contracts have, then the contracts. */
export function renderContracts(
  schemas: Readonly<Record<string, Schema>>,
  uses: ReadonlyMap<string, number>,
  values: readonly NamedValues[],
): string[] {
  const fields = new Map(Object.entries(schemas).map(([name, schema]) => [name, readFields(schema, values)]))
  const extensions = extensionsOf(fields, uses)
  const own = new Map([...fields].map(([name, all]) => [name, extensions.get(name)?.own ?? all]))
  const common = commonFields([...own.values()])
  const sections = Object.entries(schemas).map(([name, schema]) =>
    renderContract(name, schema, { own: own.get(name)!, common, extension: extensions.get(name), schemas }),
  )
  return [
    '## Contracts',
    'A field with a question mark may be left out of a request, and absent from an answer. A contract that has the ' +
      'fields of another one names it, and lists only what differs.',
    ...sharedPart(
      '### Common fields',
      'Contracts that have one of these name it and no more.',
      fieldList(common.map(withoutMark)),
    ),
    ...sections,
  ]
}

/** Parts of a contract on the page: its own fields, and the places where its other fields stand. */
interface ContractParts {
  readonly own: readonly Field[]
  readonly common: readonly Field[]
  readonly extension: Extension | undefined
  readonly schemas: Readonly<Record<string, Schema>>
}

function renderContract(name: string, schema: Schema, { own, common, extension, schemas }: ContractParts): string {
  const parts = [`### ${name}`]
  if (typeof schema.description === 'string') parts.push(schema.description)
  const named = own.filter((field) => common.some((each) => isSameField(each, field)))
  const rest = own.filter((field) => !named.includes(field))
  if (extension !== undefined) parts.push(`${extension.words}${own.length === 0 ? '.' : '; and'}`)
  if (named.length > 0) parts.push(`[Common fields](#common-fields): ${named.map(marked).join(', ')}`)
  if (rest.length > 0) parts.push(fieldList(rest))
  if (fieldsOf(schema).length === 0) parts.push([typeWords(schema, link), ...limitWords(schema)].join('; '))
  const variants = (schema.oneOf ?? []) as Schema[]
  if (variants.length === 0) return parts.join('\n\n')
  const isOfBase = JSON.stringify(variants) === JSON.stringify(schemas[extension?.base ?? '']?.oneOf)
  const words = isOfBase ? ', as there' : `: ${variants.map(variantWords).join('; ')}`
  return [...parts, `Together, by \`type\`${words}.`].join('\n\n')
}

/** Returns the common fields. Of fields with one name and several meanings it is the one that saves most words. */
function commonFields(contracts: readonly (readonly Field[])[]): Field[] {
  const uses = Map.groupBy(contracts.flat(), ({ name, meaning }) => `${name} ${meaning}`)
  const worth = [...uses.values()]
    .filter((same) => wordsOf(same[0]) >= COMMON.words && savedBy(same) >= COMMON.saved)
    .sort((a, b) => savedBy(b) - savedBy(a))
    .map(([field]) => field)
  return worth
    .filter(({ name }, i) => worth.findIndex((each) => each.name === name) === i)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

const wordsOf = ({ rows }: Field) => rows.flatMap(([, type, notes]) => `${type} ${notes}`.trim().split(' ')).length
const savedBy = (same: readonly Field[]) => (same.length - 1) * wordsOf(same[0])
const withoutMark = (field: Field): Field => {
  const [[, ...cells], ...members] = field.rows
  return { ...field, rows: [[`\`${field.name}\``, ...cells], ...members] }
}

/** Returns a link to a named variant, or the type and the other fields of an unnamed one. */
function variantWords(variant: Schema): string {
  if (typeof variant.$ref === 'string') return typeWords(variant, link)
  const [type, ...others] = fieldsOf(variant)
  const words = others.map(({ name, schema }) => `\`${name}\` ${typeWords(schema, link)}`)
  return `\`${String(type.schema.const)}\` with ${words.join(' and ')}`
}
