import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { mergePatch } from './merge-patch.ts'

test('a merge patch gives the results of the standard (RFC 7396, appendix A)', () => {
  const cases: readonly [target: unknown, patch: unknown, result: unknown][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ]
  for (const [target, patch, result] of cases) assert.deepEqual(mergePatch(target, patch), result)
})

test('a merge patch leaves its target as it is, keeps the order of members, and reaches no prototype', () => {
  const target = { b: { c: 1 }, a: 2 }
  const merged = mergePatch(target, { a: 3, b: { d: 4 }, e: 5 })
  assert.equal(JSON.stringify(merged), '{"b":{"c":1,"d":4},"a":3,"e":5}')
  assert.deepEqual(target, { b: { c: 1 }, a: 2 })
  const odd = JSON.parse('{"__proto__":{"polluted":true}}') as unknown
  assert.equal(JSON.stringify(mergePatch({}, odd)), '{"__proto__":{"polluted":true}}')
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

test('applied to nothing, an object without null is its own result; applied twice, a patch changes nothing more', () => {
  const json = fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as unknown)
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const once = mergePatch(target, patch)
      assert.deepEqual(mergePatch(once, patch), once)
    }),
  )
})
