import type { Schema } from '../contract/check-faults.ts'
import { fieldsOf, limitWords, typeWords, type FieldRow } from '../contract/schema-words.ts'
import { withNamedValues, type NamedValues } from './api-values.ts'
import { described } from './markdown.ts'

/** A field of a contract as the page shows it: its own row, then the rows of what stands in it. */
export interface Field {
  readonly name: string
  readonly isRequired: boolean
  /** Type and notes, and the same of every member: equal for fields that differ in nothing but being required. */
  readonly meaning: string
  readonly rows: readonly (readonly string[])[]
}

/** Returns the link to a contract. */
export const link = (name: string) => `[${name}](#${name.toLowerCase()})`

/** Returns the fields of an object. A member that says the same as a field beside it only names that field. */
export function readFields(schema: Schema, values: readonly NamedValues[]): Field[] {
  const outer = fieldsOf(schema)
  return outer.map((field) => {
    const rows = [rowOf(field, values), ...membersOf(field, outer, values)]
    const [[, ...own], ...members] = rows
    return { name: field.name, isRequired: field.isRequired, meaning: JSON.stringify([own, members]), rows }
  })
}

/** Renders fields with their members. */
export function fieldList(fields: readonly Field[]): string {
  return described(
    'Field',
    fields.flatMap((field) => field.rows),
  )
}

/** Returns the name of a field in code; a question mark says that the field may be absent. */
export const marked = ({ name, isRequired }: Pick<Field, 'name' | 'isRequired'>) =>
  `\`${name}${isRequired ? '' : '?'}\``

/** Returns description and limits of a field or parameter. A limit that the description says stands once. */
export function notesOf(description: unknown, schema: Schema, values: readonly NamedValues[]): string {
  const said = typeof description === 'string' ? description : ''
  const limits = limitWords(schema).filter((words) => !hasPhrase(said, words))
  const named = limits.map((words) => withNamedValues(words, values))
  return [said, ...named].filter((words) => words !== '').join('; ')
}

function rowOf(field: FieldRow, values: readonly NamedValues[]): string[] {
  const { schema } = field
  return [marked(field), typeWords(schema, link), notesOf(schema.description, schema, values)]
}

/** Returns the rows of the fields of an object that stands in a field, or in its list, without a name of its own. */
function membersOf(field: FieldRow, outer: readonly FieldRow[], values: readonly NamedValues[]): string[][] {
  const { name, schema } = field
  const items = schema.items as Schema | undefined
  const [inside, mark] = items?.properties === undefined ? [schema, ''] : [items, '[]']
  return fieldsOf(inside).flatMap((member) => {
    const full = { ...member, name: `${name}${mark}.${member.name}` }
    const twin = outer.find((each) => each.name === member.name && isSame(each.schema, member.schema))
    if (twin !== undefined && isLong(twin))
      return [[marked(full), typeWords(member.schema, link), `As \`${twin.name}\``]]
    return [rowOf(full, values), ...membersOf(full, outer, values)]
  })
}

/** Returns whether a text has a phrase whose last number does not go on: `1 to 20` is no part of `1 to 200`. */
function hasPhrase(text: string, phrase: string): boolean {
  return text
    .split(phrase)
    .slice(1)
    .some((rest) => !/^\d/.test(rest))
}

const isSame = (a: Schema, b: Schema) => JSON.stringify(a) === JSON.stringify(b)
const isLong = ({ schema }: FieldRow) =>
  (typeof schema.description === 'string' && schema.description.includes(' ')) || schema.properties !== undefined
