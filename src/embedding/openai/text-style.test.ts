import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { PLAIN, readStyledName, styledName } from './text-style.ts'

const prefix = fc.oneof(fc.constantFrom('', 'query: ', 'Instruct: find it\nQuery: ', '?types=a,b', '&:='), fc.string())
const word = fc.stringMatching(/^[\w-]{1,12}$/)
const plain = { noNullPrototype: true }
const style = fc.record(
  {
    prefixes: fc.record({ query: prefix, passage: prefix }, plain),
    inputTypes: fc.option(fc.record({ query: word, passage: word }, plain)),
  },
  plain,
)
const model = fc.oneof(fc.constantFrom('e5', 'bge:m3', 'a/b', 'nomic-embed-text:latest'), word)

test('the name of a model with a style gives both back, and differs for every style', () => {
  fc.assert(
    fc.property(model, style, style, (name, one, other) => {
      const styled = styledName(name, one)
      assert.deepEqual(readStyledName(styled), { model: name, style: one })
      if (styledName(name, other) === styled) assert.deepEqual(other, one)
    }),
  )
})

test('a model that treats all texts alike keeps its name, also one that looks as if it had a style', () => {
  for (const name of ['e5', 'bge:m3', 'm?', 'm?version=2', 'm?types=a', '?query=x', 'm?passage=b&query=a']) {
    assert.equal(styledName(name, PLAIN), name)
    assert.deepEqual(readStyledName(name), { model: name, style: PLAIN })
  }
})
