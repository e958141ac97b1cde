import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCheck } from './check.ts'
import { Contract, FreeForm, ListOf, Nullable, Type } from './schema.ts'
import { undeclaredFaults, undeclaredIn } from './undeclared.ts'

const Inner = Type.Object({ name: Type.Optional(Type.String()) })
const check = compileCheck(
  Type.Object({
    one: Type.Optional(Nullable(Inner)),
    many: Type.Optional(ListOf(Inner)),
    free: Type.Optional(FreeForm()),
    closed: Type.Optional(Type.Object({}, { additionalProperties: true })),
    either: Type.Optional(Type.Union([Inner, Type.Object({ other: Type.Optional(Type.String()) })])),
  }),
  ['body'],
)

const namesIn = (value: object): string[] => {
  assert.equal(check(value), null)
  return undeclaredIn(value).map(({ path }) => path.join('.'))
}

test('undeclared fields are found at every depth where a contract names its fields', () => {
  assert.deepEqual(namesIn({ one: { name: 'a', nmae: 1 }, many: [{}, { nam: 1 }], x: 1 }), [
    'x',
    'one.nmae',
    'many.1.nam',
  ])
  const [{ known }] = undeclaredIn(checked({ one: { nmae: 1 } }))
  assert.deepEqual(known, ['name'])
})

test('nothing is undeclared where any field is allowed, or where several contracts might be meant', () => {
  assert.deepEqual(namesIn({ one: null, free: { a: { b: 1 } }, closed: { a: 1 }, either: { a: 1 }, many: [] }), [])
  assert.deepEqual(undeclaredIn({}), [])
  assert.deepEqual(undeclaredIn(null), [])
})

test('read-only fields of an answer are found and taken out, and no reason to refuse', () => {
  const contract = Contract('Written', { name: Type.Optional(Type.String()) }, { 'x-read-only': ['id', 'version'] })
  const body = { name: 'a', id: 1, idd: 2, version: 3 }
  assert.equal(compileCheck(contract, ['body'])(body), null)
  assert.deepEqual(body, { name: 'a' })
  const undeclared = undeclaredIn(body)
  assert.deepEqual(
    undeclared.map(({ path }) => path[0]),
    ['id', 'idd', 'version'],
  )
  assert.deepEqual(
    undeclaredFaults(undeclared, ['body']).map(({ loc }) => loc),
    [['body', 'idd']],
  )
})

test('at most twenty are named, however many there are', () => {
  assert.equal(namesIn(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, i]))).length, 20)
  assert.equal(namesIn({ many: Array.from({ length: 50 }, () => ({ x: 1, y: 2 })) }).length, 20)
})

function checked(value: object): object {
  namesIn(value)
  return value
}
