import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { HolderLink } from './holder-link.ts'
import { type Line, type LineTrouble, unixLine } from './line.ts'
import { sealedLine } from './sealed-line.ts'

const IDENTITY = { form: 'same', instance: 'this' }
const STEP_MS = 50

/** Runs a minute of attempts that fail at once. @returns the milliseconds of each attempt, and the reported troubles */
async function attemptsOf(t: TestContext, line: Line): Promise<{ atMs: number[]; troubles: LineTrouble[] }> {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const atMs: number[] = []
  const troubles: LineTrouble[] = []
  let nowMs = 0
  const open = (): Socket => {
    atMs.push(nowMs)
    return new Socket().destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
  }
  const watcher = { onChange: () => undefined, onSelf: () => undefined }
  const link = new HolderLink({ ...line, open }, IDENTITY, { ...watcher, onTrouble: (each) => troubles.push(each) })
  for (; nowMs < 60_000; nowMs += STEP_MS) {
    await turn()
    t.mock.timers.tick(STEP_MS)
  }
  link.close()
  return { atMs, troubles }
}

test('a process of another machine that is away is tried less and less often, and told of once', async (t) => {
  const { atMs, troubles } = await attemptsOf(t, sealedLine({ host: '10.0.0.1', port: 9_400 }, Buffer.alloc(32)))
  const pauses = atMs.slice(1).map((at, i) => at - atMs[i])
  assert.ok(pauses[0] <= 250 + STEP_MS && pauses[1] > 300, pauses.join(' '))
  for (const pause of pauses.slice(5)) assert.ok(pause > 3_000 && pause <= 5_000 + STEP_MS, pauses.join(' '))
  assert.deepEqual(troubles, [{ kind: 'unreachable', code: 'ECONNREFUSED' }])
})

test('a process of this machine is tried again every quarter of a second', async (t) => {
  const { atMs } = await attemptsOf(t, unixLine('/nowhere'))
  assert.ok(atMs.length > 180, `${atMs.length} attempts`)
})
