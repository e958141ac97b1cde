import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairSlots, SlotTimeout } from './fair-slots.ts'

const PATIENT = { waitMs: 60_000 }

test('an owner with much work leaves the slots above its share to others', async () => {
  const slots = new FairSlots({ slots: 4, perOwner: 2, ...PATIENT })
  const gate = Promise.withResolvers<void>()
  const busy = Array.from({ length: 10 }, () => slots.run('a', () => gate.promise))
  assert.equal(await slots.run('b', async () => 'ran'), 'ran')
  gate.resolve()
  await Promise.all(busy)
})

test('waiting owners take turns, each in its own order', async () => {
  const slots = new FairSlots({ slots: 1, perOwner: 1, ...PATIENT })
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const first = slots.run('x', () => gate.promise)
  const rest = ['a0', 'a1', 'a2', 'b0', 'c0', 'b1'].map((name) => slots.run(name[0], async () => void order.push(name)))
  gate.resolve()
  await Promise.all([first, ...rest])
  assert.deepEqual(order, ['a0', 'b0', 'c0', 'a1', 'b1', 'a2'])
})

test('all work runs once and within the bounds, even after failures', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean() }), { maxLength: 40 }),
      async (count, perOwner, all) => {
        const slots = new FairSlots({ slots: count, perOwner, ...PATIENT })
        const running = new Map<string, number>()
        let ran = 0
        const outcomes = await Promise.allSettled(
          all.map(({ owner, fails }) =>
            slots.run(owner, async () => {
              ran++
              running.set(owner, (running.get(owner) ?? 0) + 1)
              assert.ok(running.get(owner)! <= perOwner)
              assert.ok([...running.values()].reduce((sum, each) => sum + each, 0) <= count)
              await new Promise((resolve) => setImmediate(resolve))
              running.set(owner, running.get(owner)! - 1)
              if (fails) throw new Error('failed')
            }),
          ),
        )
        assert.equal(ran, all.length)
        assert.deepEqual(
          outcomes.map(({ status }) => status === 'rejected'),
          all.map(({ fails }) => fails),
        )
      },
    ),
  )
})

test('without an owner or a bound per owner, work may use all slots in the order it came', async () => {
  const slots = new FairSlots({ slots: 2 })
  let running = 0
  let most = 0
  const order: number[] = []
  const call = (i: number) => async () => {
    order.push(i)
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  }
  await Promise.all(Array.from({ length: 10 }, (_, i) => slots.run('', call(i))))
  assert.deepEqual([most, order], [2, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
})

test('work whose wait ends, by signal or timeout, never runs and takes no slot', async () => {
  const slots = new FairSlots({ slots: 1 })
  const gate = Promise.withResolvers<void>()
  const running = slots.run('a', () => gate.promise)
  const controller = new AbortController()
  const never = () => assert.fail('ran')
  const { signal } = controller
  const aborted = slots.run('a', never, { signal })
  const late = slots.run('b', never, { waitMs: 1 })
  controller.abort(new Error('gone'))
  await assert.rejects(aborted, { message: 'gone' })
  await assert.rejects(late, SlotTimeout)
  await assert.rejects(slots.run('a', never, { signal }), { message: 'gone' })
  gate.resolve()
  await running
  assert.equal(await slots.run('a', async () => 'ran'), 'ran')
})

test('a turn that does not come in time fails, and the others still get theirs', async () => {
  const slots = new FairSlots({ slots: 1, perOwner: 1, waitMs: 1 })
  const gate = Promise.withResolvers<void>()
  const first = slots.run('a', () => gate.promise)
  await assert.rejects(
    slots.run('a', async () => undefined),
    SlotTimeout,
  )
  gate.resolve()
  await first
  assert.equal(await slots.run('a', async () => 'ran'), 'ran')
})
