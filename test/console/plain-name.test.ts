import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainName } from '../../console/src/parts/plain-name.ts'

test('a name stays as it is, in any script', () => {
  for (const name of ['Claude', 'Notizen für alle', 'Помощник', '助手 2', 'مساعد'])
    assert.equal(plainName(name, 'x'), name)
})

test('what turns, hides or breaks the sentence around a name is taken out', () => {
  assert.equal(plainName('Claude\u202e\u2066”?\u200b', 'x'), 'Claude”?')
  assert.equal(plainName(' two\r\n\u2028 lines ', 'x'), 'two lines')
  assert.equal(plainName('\u200e\u00ad\ufeff \t', 'the id'), 'the id')
})
