import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameMatch } from './name-match.ts'

test('a name that is the query matches best, then one that has it among other words, then one that has part of it', () => {
  const same = nameMatch(1, 1)
  const among = nameMatch(1, 0.4)
  const part = nameMatch(0.5, 0.4)
  assert.equal(same, 1)
  assert.ok(same > among && among > part && part > 0, `${same} ${among} ${part}`)
  assert.equal(nameMatch(0, 0), 0)
})

test('a compound that answers two words of the query matches no better than its one word', () => {
  assert.equal(nameMatch(1, 2), 1)
})
