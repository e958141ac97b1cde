import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainName } from '../../console/src/api/plain-name.ts'

test('an ordinary name in any script is unchanged', () => {
  for (const name of ['Claude', 'Notizen für alle', 'Помощник', '助手 2', 'مساعد'])
    assert.equal(plainName(name, 'x'), name)
})

test('characters that reverse, hide or break the text around a name are removed', () => {
  assert.equal(plainName('Claude\u202e\u2066”?\u200b', 'x'), 'Claude”?')
  assert.equal(plainName(' two\r\n\u2028 lines ', 'x'), 'two lines')
  assert.equal(plainName('\u200e\u00ad\ufeff \t', 'the id'), 'the id')
})
