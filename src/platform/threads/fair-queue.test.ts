import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairQueue } from './fair-queue.ts'

/** Takes out all items. */
function rest(queue: FairQueue<string>): string[] {
  const order: string[] = []
  while (!queue.isEmpty) order.push(queue.shift()!)
  return order
}

function queueOf(items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>()
  for (const item of items) queue.push(item[0], item)
  return queue
}

test('owners take turns, and each owner’s items keep their order', () => {
  assert.deepEqual(rest(queueOf(['a0', 'a1', 'a2', 'b0', 'c0', 'b1'])), ['a0', 'b0', 'c0', 'a1', 'b1', 'a2'])
})

test('an owner that is passed over keeps its place', () => {
  const queue = queueOf(['a0', 'a1', 'b0', 'b1'])
  assert.equal(
    queue.shift((owner) => owner !== 'a'),
    'b0',
  )
  assert.deepEqual(rest(queue), ['a0', 'b1', 'a1'])
})

test('removing the last item of the longest owner, or one that gives up, costs no owner a turn', () => {
  const queue = queueOf(['a0', 'b0', 'b1', 'b2', 'c0', 'c1', 'c2'])
  assert.equal(queue.longest, 'b')
  assert.equal(queue.pop('b'), 'b2')
  assert.equal(queue.longest, 'c')
  queue.remove('c', 'c1')
  queue.remove('a', 'a0')
  queue.remove('a', 'a0')
  assert.equal(queue.pop('a'), undefined)
  assert.deepEqual([queue.size, rest(queue)], [4, ['b0', 'c0', 'b1', 'c2']])
})

test('the counts always match the waiting items', () => {
  const anyOwner = fc.constantFrom('a', 'b', 'c')
  const step = fc.record({
    kind: fc.constantFrom('push', 'push', 'shift', 'pop', 'remove'),
    owner: anyOwner,
    item: fc.nat(3),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new FairQueue<number>()
      const expected: Record<string, number[]> = { a: [], b: [], c: [] }
      for (const { kind, owner, item } of steps) {
        const own = expected[owner]
        if (kind === 'push') {
          own.push(item)
          queue.push(owner, item)
        } else if (kind === 'shift') {
          assert.equal(
            queue.shift((each) => each === owner),
            own.shift(),
          )
        } else if (kind === 'pop') assert.equal(queue.pop(owner), own.pop())
        else {
          if (own.includes(item)) own.splice(own.indexOf(item), 1)
          queue.remove(owner, item)
        }
        for (const each of ['a', 'b', 'c']) assert.equal(queue.countOf(each), expected[each].length)
        const most = Math.max(...Object.values(expected).map(({ length }) => length))
        assert.equal(queue.longest === undefined ? 0 : queue.countOf(queue.longest), most)
        assert.equal(queue.size, expected.a.length + expected.b.length + expected.c.length)
        assert.equal(queue.isEmpty, queue.size === 0)
      }
    }),
  )
})
