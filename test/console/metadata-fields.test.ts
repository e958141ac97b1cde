import assert from 'node:assert/strict'
import { test } from 'node:test'
import { METADATA_FIELDS, type MetadataField } from '../../console/src/pages/editor/metadata-fields.ts'
import { METADATA_LABELS } from '../../console/src/pages/editor/metadata-labels.ts'
import { METADATA_SCHEMAS } from '../../src/knowledge/entries/metadata/metadata.ts'

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

function compare(fields: readonly MetadataField[], schema: Schema, path: string): void {
  const { properties = {}, required = [] } = schema
  assert.deepEqual(fields.map(({ name }) => name).toSorted(), Object.keys(properties).toSorted(), path)
  for (const field of fields) {
    const { name, isNeeded = false } = field
    assert.equal(isNeeded, required.includes(name), `${path}.${name} is needed`)
    for (const language of ['de', 'en'] as const)
      assert.ok(METADATA_LABELS[name]?.[language], `${path}.${name} has no name`)
    const columns = 'columns' in field ? field.columns : undefined
    if (columns !== undefined) compare(columns, properties[name].items ?? {}, `${path}.${name}`)
  }
}

test('the form of each type has the fields of its schema, needs what it needs, and names all in both languages', () => {
  const types = Object.keys(METADATA_SCHEMAS).filter((type) => type !== 'knowledge')
  assert.deepEqual(Object.keys(METADATA_FIELDS).toSorted(), types.toSorted())
  const schemas: Readonly<Record<string, Schema>> = METADATA_SCHEMAS
  for (const [type, fields] of Object.entries(METADATA_FIELDS)) compare(fields, schemas[type], type)
})
