import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWarningLog } from './warning-log.ts'
import { until } from '../../../test/support/patience.ts'

test('a warning is logged once while it lasts, also when its number changes, and again when it comes back', async () => {
  let now: string[] = []
  const logged: string[] = []
  const log = startWarningLog(
    async () => now,
    (text) => void logged.push(text),
    (error) => assert.fail(String(error)),
  )
  await log.look()
  assert.deepEqual(logged, [])
  now = ['3 texts wait', 'The database took 150.25 ms']
  await log.look()
  now = ['12 texts wait', 'The database took 99 ms', 'The search memory is almost full']
  await log.look()
  assert.deepEqual(logged, ['3 texts wait', 'The database took 150.25 ms', 'The search memory is almost full'])
  now = []
  await log.look()
  now = ['1 texts wait']
  await log.look()
  assert.deepEqual(logged.slice(3), ['1 texts wait'])
  await log.close()
})

test('a look that fails is told of, and the next one is made all the same', async () => {
  let looks = 0
  const errors: unknown[] = []
  const logged: string[] = []
  const log = startWarningLog(
    async () => {
      if (++looks === 1) throw new Error('the database is away')
      return ['something']
    },
    (text) => void logged.push(text),
    (error) => void errors.push(error),
    1,
  )
  await until(() => logged.length > 0, 'the next look is made')
  await log.close()
  assert.equal(errors.length, 1)
})
