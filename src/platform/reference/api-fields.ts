import type { Schema } from '../contract/check-faults.ts'
import { fieldsOf, limitWords, typeWords, type FieldRow } from '../contract/schema-words.ts'
import { withNamedValues, type NamedValues } from './api-values.ts'
import { described, link } from './markdown.ts'

/** A field of a contract on the page: its own row, then the rows of its members. */
export interface Field {
  readonly name: string
  readonly isRequired: boolean
  /** Type and notes of the field and of its members. Fields that differ only in being required have equal meanings. */
  readonly meaning: string
  readonly rows: readonly (readonly string[])[]
}

/** Returns the fields of an object. A member that equals a field beside it refers to that field by name. */
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

/**
 * Returns the description and the limits of a field or parameter. A limit that the description states is not repeated.
 */
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

/** Returns the rows of an unnamed object's fields. The object is the value of a field, or an item of its list. */
function membersOf(field: FieldRow, outer: readonly FieldRow[], values: readonly NamedValues[]): string[][] {
  const { name, schema } = field
  const items = schema.items as Schema | undefined
  const [inside, mark] = items?.properties === undefined ? [schema, ''] : [items, '[]']
  return fieldsOf(inside).flatMap((member) => {
    const full = { ...member, name: `${name}${mark}.${member.name}` }
    const twin = outer.find((each) => each.name === member.name && isSameSchema(each.schema, member.schema))
    if (twin !== undefined && isLong(twin))
      return [[marked(full), typeWords(member.schema, link), `As \`${twin.name}\``]]
    return [rowOf(full, values), ...membersOf(full, outer, values)]
  })
}

/** Tells whether a text has a phrase and no digit follows it: `1 to 20` is no part of `1 to 200`. */
function hasPhrase(text: string, phrase: string): boolean {
  return text
    .split(phrase)
    .slice(1)
    .some((rest) => !/^\d/.test(rest))
}

/** Tells whether two fields have one name and one meaning. */
export const isSameField = (a: Field, b: Field) => a.name === b.name && a.meaning === b.meaning

const isSameSchema = (a: Schema, b: Schema) => JSON.stringify(a) === JSON.stringify(b)
const isLong = ({ schema }: FieldRow) =>
  (typeof schema.description === 'string' && schema.description.includes(' ')) || schema.properties !== undefined
