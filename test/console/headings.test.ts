import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headingsOf, withoutTitle } from '../../console/src/parts/text/headings.ts'

test('the headings of a text lead to its lines, without marks, and code that looks like a heading is none', () => {
  const text = [
    '# Garantie',
    '',
    'Text',
    '```',
    '# kein Titel',
    '```',
    '## **Was** ist [nötig](https://x.example)? ##',
    '#ohne',
  ]
  assert.deepEqual(headingsOf(text.join('\n')), [
    { id: 'line-1', text: 'Garantie', level: 1 },
    { id: 'line-7', text: 'Was ist nötig?', level: 2 },
  ])
})

test('a first heading that repeats the title is left out, and no other', () => {
  assert.equal(withoutTitle('# **Garantie** \n\nText', 'Garantie'), '\n\nText')
  assert.equal(withoutTitle('# Garantie', 'Garantie'), '')
  for (const text of ['# Garantie\n\nText', '## Rückgabe', 'Text\n\n# Rückgabe'])
    assert.equal(withoutTitle(text, 'Rückgabe'), text)
})
