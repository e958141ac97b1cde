import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isLinearizable, type Operation } from './linearizable.ts'

type Request = { readonly write: number } | 'read'

const register = (state: number, request: Request, answer: number | null): number | undefined => {
  if (request !== 'read') return request.write
  return answer === null || answer === state ? state : undefined
}

/** Returns a call between two moments. The answer to a write is its own value. */
function call(
  request: Request,
  answer: number | null,
  calledAtMs: number,
  answeredAtMs: number,
): Operation<Request, number> {
  return { request, answer, calledAtMs, answeredAtMs }
}

describe('the check of histories', () => {
  test('accepts reads that saw two writes that ran at once in one order', () => {
    const writes = [call({ write: 1 }, 1, 0, 10), call({ write: 2 }, 2, 0, 10)]
    assert.ok(isLinearizable([...writes, call('read', 2, 11, 12), call('read', 2, 13, 14)], 0, register))
    assert.ok(isLinearizable([...writes, call('read', 1, 11, 12)], 0, register))
    assert.ok(isLinearizable([...writes, call('read', 0, 1, 2)], 0, register))
  })

  test('refuses a read that goes back behind another', () => {
    const writes = [call({ write: 1 }, 1, 0, 10), call({ write: 2 }, 2, 0, 10)]
    assert.ok(!isLinearizable([...writes, call('read', 2, 11, 12), call('read', 1, 13, 14)], 0, register))
  })

  test('refuses a read that does not see a write that was answered before', () => {
    assert.ok(!isLinearizable([call({ write: 1 }, 1, 0, 1), call('read', 0, 2, 3)], 0, register))
  })

  test('lets a write without an answer happen late or never, but not before its call', () => {
    const write = call({ write: 1 }, null, 10, 11)
    assert.ok(isLinearizable([write, call('read', 0, 12, 13), call('read', 1, 20, 21)], 0, register))
    assert.ok(isLinearizable([write, call('read', 0, 12, 13)], 0, register))
    assert.ok(!isLinearizable([call('read', 1, 5, 6), write], 0, register))
  })

  test('accepts what any order of calls would tell, and refuses it with one answer changed', () => {
    const step = fc.record({
      write: fc.option(fc.integer({ min: 1, max: 1_000 })),
      early: fc.nat(20),
      late: fc.nat(20),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
        let state = 0
        const history = steps.map(({ write, early, late }, i) => {
          if (write !== null) state = write
          const request: Request = write === null ? 'read' : { write }
          return call(request, state, i * 10 - early, i * 10 + late)
        })
        const lastly = (answer: number) => call('read', answer, steps.length * 10 + 30, steps.length * 10 + 31)
        assert.ok(isLinearizable(history, 0, register))
        assert.ok(!isLinearizable([...history, lastly(-1)], 0, register))
      }),
    )
  })
})
