import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import { answerTyping } from '../../client/src/index.ts'

const PAUSE_MS = 80

interface Request {
  readonly text: string
  readonly signal: AbortSignal
  readonly resolve: (answer: string) => void
  readonly reject: (error: Error) => void
}

/** Makes a search box whose answers come when the test says so. */
function stage(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const requests: Request[] = []
  const displays: (string | null)[] = []
  const failed: string[] = []
  const typing = answerTyping<string>({
    pauseMs: PAUSE_MS,
    ask: (text, signal) =>
      new Promise((resolve, reject) => {
        requests.push({ text, signal, resolve, reject })
      }),
    show: (answer) => displays.push(answer),
    fail: (_error, text) => failed.push(text),
  })
  const wait = (ms: number) => t.mock.timers.tick(ms)
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  const answer = async (text: string): Promise<void> => {
    requests.findLast((request) => request.text === text)!.resolve(text)
    await settle()
  }
  return { typing, requests, displays, failed, wait, settle, answer }
}

test('a service is asked once the typist pauses, and not twice for the same text', async (t) => {
  const { typing, requests, displays, wait, answer } = stage(t)
  for (const text of ['l', 'la', 'lam']) {
    typing.type(text)
    wait(PAUSE_MS - 1)
  }
  assert.equal(requests.length, 0)
  wait(1)
  typing.type(' lam ')
  wait(PAUSE_MS)
  assert.deepEqual(
    requests.map(({ text }) => text),
    ['lam'],
  )
  await answer('lam')
  assert.deepEqual(displays, ['lam'])
})

test('on a slow line an earlier answer is shown until the newer one comes, and never after it', async (t) => {
  const { typing, requests, displays, wait, answer } = stage(t)
  for (const text of ['l', 'la']) {
    typing.type(text)
    wait(PAUSE_MS)
  }
  await answer('la')
  assert.deepEqual(
    requests.map(({ signal }) => signal.aborted),
    [true, false],
    'what was asked before the shown answer is ended',
  )
  typing.type('lam')
  wait(PAUSE_MS)
  await answer('l')
  assert.deepEqual(displays, ['la'])
  await answer('lam')
  assert.deepEqual(displays, ['la', 'lam'])
})

test('a service that answers slowly is asked two things at once, and then for the newest text alone', async (t) => {
  const { typing, requests, displays, wait, answer } = stage(t)
  const texts = () => requests.map(({ text }) => text)
  for (const text of ['l', 'la', 'lam', 'lamp']) {
    typing.type(text)
    wait(PAUSE_MS)
  }
  assert.deepEqual(texts(), ['l', 'la'])
  await answer('l')
  assert.deepEqual(texts(), ['l', 'la', 'lamp'])
  await answer('lamp')
  assert.deepEqual(displays, ['l', 'lamp'])
  assert.ok(requests[1].signal.aborted)
})

test('emptying the box clears it at once, and no late answer fills it again', async (t) => {
  const { typing, requests, displays, wait, answer } = stage(t)
  typing.type('la')
  wait(PAUSE_MS)
  typing.type('lam')
  typing.type('')
  wait(PAUSE_MS)
  assert.equal(requests.length, 1)
  assert.ok(requests[0].signal.aborted)
  await answer('la')
  assert.deepEqual(displays, [null])
  typing.type('la')
  wait(PAUSE_MS)
  await answer('la')
  assert.deepEqual(displays, [null, 'la'])
})

test('a failure is told unless a newer answer is shown, and the same text may be asked for again', async (t) => {
  const { typing, requests, displays, failed, wait, settle, answer } = stage(t)
  for (const text of ['l', 'la']) {
    typing.type(text)
    wait(PAUSE_MS)
  }
  requests[1].reject(new Error('away'))
  await settle()
  assert.deepEqual(failed, ['la'])
  typing.type('la')
  wait(PAUSE_MS)
  await answer('la')
  requests[0].reject(new Error('away'))
  await settle()
  assert.deepEqual([failed, displays], [['la'], ['la']])
})

test('however answers come in, they are shown in the order of typing, and the last one stays', async (t) => {
  const schedule = fc.scheduler()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const texts = fc.array(fc.nat(20), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(schedule, texts, async (scheduler, typed) => {
      const displays: number[] = []
      const texts: string[] = []
      const typing = answerTyping<number>({
        pauseMs: PAUSE_MS,
        ask: (text) => scheduler.schedule(Promise.resolve(texts.push(text))),
        show: (answer) => displays.push(answer ?? 0),
      })
      for (const text of typed) {
        typing.type(`text ${text}`)
        t.mock.timers.tick(PAUSE_MS)
        if (text % 3 === 0 && scheduler.count() > 0) await scheduler.waitOne()
      }
      // An answer lets the text that waits be asked for.
      for (; scheduler.count() > 0; await new Promise((resolve) => setImmediate(resolve))) await scheduler.waitAll()
      assert.deepEqual(
        displays,
        [...displays].sort((a, b) => a - b),
      )
      assert.equal(displays.at(-1), texts.length)
      assert.equal(texts.at(-1), `text ${typed.at(-1)}`)
    }),
  )
})
