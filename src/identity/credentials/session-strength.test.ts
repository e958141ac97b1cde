import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksForSecondFactor, lacksSecondFactor } from './session-strength.ts'

const STRENGTHS = ['password', 'provider', 'second'] as const

test('a tenant’s requirement decides which sessions lack a second factor', () => {
  const short = (requirement: 'off' | 'on' | 'all') =>
    STRENGTHS.filter((strength) => lacksSecondFactor(requirement, strength))
  assert.deepEqual([short('off'), short('on'), short('all')], [[], ['password'], ['password', 'provider']])
  // A session of an unknown strength is as weak as any.
  assert.equal(lacksSecondFactor('on', null), true)
})

test('after a password the second factor is always asked for, after the outside provider only where all need one', () => {
  const prompts = (requirement: 'off' | 'on' | 'all') =>
    STRENGTHS.filter((strength) => asksForSecondFactor(requirement, strength))
  assert.deepEqual(
    [prompts('off'), prompts('on'), prompts('all')],
    [['password'], ['password'], ['password', 'provider']],
  )
})
