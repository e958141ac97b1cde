import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from '../../config.ts'
import { hostPortText, parseHostPort } from '../../platform/host-port.ts'
import { type Members, membersOf } from './members.ts'

function members(listen: string, peers: readonly string[], number = 1): Members {
  return membersOf({ listen: parseHostPort(listen)!, peers: peers.map((each) => parseHostPort(each)!) }, number)
}

const [A, A2, B] = ['10.0.0.1:9400', '10.0.0.1:9401', '10.0.0.2:9400']

test('each process of a machine listens on the next port, and all name the same members', () => {
  const first = members(A, [B, A2, A], 1)
  const second = members(A, [A, A2, B], 2)
  assert.deepEqual([hostPortText(first.own), hostPortText(second.own)], [A, A2])
  assert.deepEqual(first.others.map(hostPortText), [B, A2])
  assert.deepEqual(first.shareOf(1), { own: A, processes: [A, A2, B], holders: 1 })
  assert.deepEqual(second.shareOf(1), { own: A2, processes: [A, A2, B], holders: 1 })
})

test('a process need not be named among the others', () => {
  assert.deepEqual(members(A, [B]).shareOf(2), { own: A, processes: [A, B], holders: 2 })
})

test('a process that listens on every address does not know its share before it has reached itself', () => {
  const { others, shareOf } = members('0.0.0.0:9400', [A, B])
  assert.deepEqual(others.map(hostPortText), [A, B])
  assert.equal(shareOf(1), null)
})

test('a process without a port of its own does not start', () => {
  assert.throws(() => members('10.0.0.1:65535', [B], 2), ConfigError)
})
