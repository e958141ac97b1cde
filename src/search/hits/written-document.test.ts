import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { inTier } from '../../../test/support/tier.ts'
import { DocumentShape } from './written-document.ts'

const NAMES = ['id', 'title', 'count', 'tags', 'url', 'über "alles"'] as const
const SHAPE = new DocumentShape(NAMES)

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.constant(null),
  fc.array(fc.string()),
  fc.dictionary(fc.string(), fc.string()),
)
/** A document in which any field may be absent. */
const document = fc.record(Object.fromEntries(NAMES.map((name) => [name, value])), { requiredKeys: [] })

function jsonOf(parts: readonly Buffer[]): unknown {
  return JSON.parse(Buffer.concat(parts).toString())
}

test('a written document has its fields, in the order of the contract, and no others', () => {
  const written = SHAPE.write({ title: 'Grüße', secret: 1, id: 'a' })
  assert.equal(written.json.toString(), '{"id":"a","title":"Grüße"}')
  assert.equal(written.get('title'), 'Grüße')
  assert.equal(written.get('count'), undefined)
  assert.throws(() => written.get('secret'), RangeError)
})

test('any choice of fields with any current values is the JSON of the same choice of the object', () => {
  const choice = fc.uniqueArray(fc.constantFrom(...NAMES))
  const property = fc.property(document, fc.option(choice), document, (fields, chosen, current) => {
    const written = SHAPE.write(fields)
    const whole: Record<string, unknown> = { ...fields, ...current }
    const names = (chosen ?? NAMES).filter((name) => whole[name] !== undefined)
    const expected = Object.fromEntries(names.map((name) => [name, whole[name]]))
    const shown = jsonOf(written.parts(chosen, current))
    assert.deepEqual(shown, JSON.parse(JSON.stringify(expected)))
    if (chosen !== null) assert.deepEqual(Object.keys(shown as object), names)
  })
  fc.assert(property, { numRuns: inTier({ gate: 200, all: 2_000 }) })
})
