import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Contract, FreeForm, Int, ListOf, Nullable, OneOf, Text, Type } from './schema.ts'
import { compileSerialiser } from './serialise.ts'

const Inner = Contract('Inner', { name: Text(), 'odd "key"': Type.Optional(Text()) })
const Outer = Contract('Outer', {
  id: Int(),
  inner: Inner,
  maybe: Nullable(Inner),
  several: Type.Optional(ListOf(Nullable(Inner))),
  free: Type.Optional(FreeForm()),
  either: Type.Optional(Type.Union([Contract('A', { a: Text() }), Contract('B', { b: ListOf(Inner) })])),
  anything: Type.Optional(Type.Unknown()),
})
const inner = { name: 'n', secret: 1 }
const write = (schema: object, value: unknown): unknown => JSON.parse(compileSerialiser(schema)(value))

test('undeclared fields never leave, at any depth', () => {
  const value = {
    id: 1,
    secret: 1,
    inner: { ...inner, 'odd "key"': 'x' },
    maybe: inner,
    several: [inner, null],
    either: { b: [inner], a: 'a', secret: 1 },
  }
  const clean = { name: 'n' }
  assert.deepEqual(write(Outer, value), {
    id: 1,
    inner: { name: 'n', 'odd "key"': 'x' },
    maybe: clean,
    several: [clean, null],
    either: { a: 'a', b: [clean] },
  })
  assert.deepEqual(write(ListOf(Outer), [value]), [write(Outer, value)])
})

test('free-form objects and undeclared types keep everything', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (anything, free) => {
      const value = { id: 1, inner: { name: 'n' }, maybe: null, free, anything }
      assert.deepEqual(write(Outer, value), JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('absent optional fields stay absent, and null stays null', () => {
  assert.deepEqual(write(Outer, { id: 1, inner: { name: 'n' }, maybe: null }), {
    id: 1,
    inner: { name: 'n' },
    maybe: null,
  })
  assert.equal(compileSerialiser(Nullable(OneOf(['a'])))(null), 'null')
})

test('an answer without a required field throws instead of leaving incomplete', () => {
  assert.throws(() => write(Outer, { id: 1, inner: {}, maybe: null }), /Answer lacks "name"/)
  assert.throws(() => write(Outer, { id: 1, maybe: null }), /Answer lacks "inner"/)
})
