import assert from 'node:assert/strict'
import { on, EventEmitter } from 'node:events'
import { test, type TestContext } from 'node:test'
import { PendingCalls } from './pending-calls.ts'
import { Supervisor, type SupervisorOptions } from './supervisor.ts'
import type { TestOrder, TestReport, TestThread } from '../../../test/support/supervised-thread.ts'

/** Starts a real thread under supervision. Returns it with its reports, its ends and its supervisor's log. */
function stage(t: TestContext, options: Partial<SupervisorOptions<TestThread>> = {}) {
  const events = new EventEmitter()
  const reports = on(events, 'report') as AsyncIterableIterator<[TestReport]>
  const ends = on(events, 'end') as AsyncIterableIterator<[Error]>
  const log: { message: string; details: Record<string, unknown> }[] = []
  const calls = new PendingCalls<null>()
  const thread = new Supervisor<TestThread>({
    name: 'test',
    module: new URL('../../../test/support/supervised-thread.ts', import.meta.url),
    data: 'what it starts with',
    log: { warn: (details, message) => void log.push({ message, details: details as Record<string, unknown> }) },
    onMessage: (report) => {
      if (report.id !== undefined) calls.resolve(report.id, report.said)
      events.emit('report', report)
    },
    onEnd: (error) => {
      calls.rejectAll(error)
      events.emit('end', error)
    },
    ...options,
  })
  t.after(() => thread.close())
  return {
    thread,
    log,
    calls,
    ask: (order: TestOrder['do']) => calls.open<string>(null, (id) => thread.post({ do: order, id })),
    nextReport: async () => (await reports.next()).value[0] as TestReport,
    nextEnd: async () => (await ends.next()).value[0] as Error,
  }
}

const restartsOf = (log: ReturnType<typeof stage>['log']) => log.map(({ details }) => details.restartAfterMs)

test('a thread starts with its data, takes what it is sent and answers', async (t) => {
  const { thread, ask, nextReport } = stage(t)
  assert.deepEqual(await nextReport(), { said: 'what it starts with' })
  assert.equal(await ask('answer'), 'answered')
  assert.deepEqual(thread.health, { name: 'test', isDown: false, restarts: 0 })
})

test('what a thread warns of is written to the log', async (t) => {
  const { log, ask } = stage(t)
  assert.equal(await ask('warn'), 'warned')
  assert.deepEqual(log, [{ message: 'something is odd', details: { error: 'very odd' } }])
})

test('a thread at rest is started by the next order, as if for the first time, and ends with its supervisor', async (t) => {
  const { thread, log, ask, nextReport } = stage(t)
  assert.equal(await ask('answer'), 'answered')
  thread.rest()
  thread.rest()
  assert.equal(await ask('answer'), 'answered')
  const said = await Promise.all(Array.from({ length: 4 }, nextReport))
  assert.deepEqual(
    said.map((report) => report.said),
    ['what it starts with', 'answered', 'what it starts with', 'answered'],
  )
  thread.rest()
  assert.deepEqual([log, thread.health], [[], { name: 'test', isDown: false, restarts: 0 }])
  await thread.close()
})

test('a crashed thread fails its open calls, and its successor takes the next ones', async (t) => {
  const { thread, log, ask, nextEnd } = stage(t)
  await assert.rejects(ask('crash'), /a crash for the test/)
  assert.match((await nextEnd()).message, /a crash for the test/)
  assert.equal(await ask('answer'), 'answered')
  assert.deepEqual(thread.health, { name: 'test', isDown: false, restarts: 1 })
  assert.equal(log[0].message, 'the test thread ended and is started again')
})

test('a thread that ends without an error is started again like one that crashes', async (t) => {
  const { ask } = stage(t)
  await assert.rejects(ask('leave'), /the test thread ended with code 3/)
  assert.equal(await ask('answer'), 'answered')
})

test('a thread ends alone when its heap is full', async (t) => {
  const { ask } = stage(t, { heapMb: 16 })
  await assert.rejects(ask('fill'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })
  assert.equal(await ask('answer'), 'answered')
})

test('a thread that keeps ending waits twice as long each time, and takes no messages meanwhile', async (t) => {
  const { thread, log, nextEnd } = stage(t, { data: 'crash', restartFirstMs: 1 })
  for (let life = 0; life < 5; life++) await nextEnd()
  assert.deepEqual(restartsOf(log).slice(0, 5), [0, 1, 2, 4, 8])
  assert.equal(thread.health.isDown, true)
  assert.equal(thread.post({ do: 'answer', id: 1 }), false)
})

test('a thread that has done useful work is restarted at once', async (t) => {
  const { thread, log, ask } = stage(t, { restartFirstMs: 60_000 })
  for (let life = 0; life < 3; life++) {
    assert.equal(await ask('answer'), 'answered')
    thread.noteUse()
    await assert.rejects(ask('crash'))
  }
  assert.deepEqual(restartsOf(log), [0, 0, 0])
})

test('a thread that has run for long is restarted at once', async (t) => {
  const { log, nextEnd } = stage(t, { data: 'crash', restartFirstMs: 60_000, settledAfterMs: 0 })
  for (let life = 0; life < 3; life++) await nextEnd()
  assert.deepEqual(restartsOf(log).slice(0, 3), [0, 0, 0])
})

test('a thread with a delayed start starts with the first message', async (t) => {
  const { thread, ask } = stage(t, { startAfterMs: Infinity })
  assert.equal(thread.health.isDown, false)
  assert.equal(await ask('answer'), 'answered')
})

test('a thread that is closed before its start never starts', async (t) => {
  const { thread, log } = stage(t, { startAfterMs: 1 })
  await thread.close()
  assert.equal(thread.post({ do: 'answer', id: 1 }), false)
  assert.deepEqual(log, [])
})

test('closing lets a thread finish its work, and starts no other', async (t) => {
  const { thread, ask, log } = stage(t)
  const slow = ask('answer slowly')
  await thread.close()
  assert.equal(await slow, 'answered slowly')
  assert.equal(thread.post({ do: 'answer', id: 1 }), false)
  assert.deepEqual([thread.health.isDown, log], [false, []])
})

test('a thread that does not close is terminated', async (t) => {
  const { thread, nextReport, log } = stage(t, { closeWithinMs: 50 })
  await nextReport()
  thread.post({ do: 'hang', id: 1 })
  await nextReport()
  await thread.close()
  assert.deepEqual([thread.health.isDown, log], [false, []])
})

test('a thread that fails while it closes is logged and not restarted', async (t) => {
  const { thread, log } = stage(t, { data: 'fail to close' })
  await thread.close()
  assert.deepEqual(
    log.map(({ message }) => message),
    ['the test thread failed while it closed'],
  )
})

test('a thread that is down when it is closed is not restarted', async (t) => {
  const { thread, log, nextEnd } = stage(t, { data: 'crash', restartFirstMs: 60_000 })
  await nextEnd()
  await nextEnd()
  await thread.close()
  assert.deepEqual([thread.health.isDown, log.length], [false, 2])
})
