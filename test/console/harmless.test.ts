import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shown } from '../../console/src/jsx/shown.ts'
import { harmless } from '../../console/src/jsx/harmless.ts'

test('characters that turn the direction of writing are shown by their names, and no others', () => {
  assert.equal(harmless('Rechnung \u202Egpj.exe'), 'Rechnung [RLO]gpj.exe')
  assert.equal(harmless('\u2066a\u2069\u202Ab\u202C'), '[LRI]a[PDI][LRE]b[PDF]')
  const plain = 'שלום \u200Fעולם, zero\u200Dwidth, Ümlaut'
  assert.equal(harmless(plain), plain)
})

test('an element shows harmless texts, alone and among other children, and keeps what people edit', () => {
  const turned = 'a\u202Eb'
  const part = {}
  assert.deepEqual(shown({ children: turned, title: turned, value: turned, href: turned }), {
    children: 'a[RLO]b',
    title: 'a[RLO]b',
    value: turned,
    href: turned,
  })
  assert.deepEqual(shown({ children: [turned, part, 1, null] }).children, ['a[RLO]b', part, 1, null])
})

test('an element with nothing to change keeps its properties, and its children with them', () => {
  const props = { children: ['a', 'b'], title: 'c' }
  assert.equal(shown(props), props)
  assert.equal(shown(null), null)
})
