import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReadingTurns, type ReadingCall } from './reading-turns.ts'

/** Runs calls with a step for each text. Returns the turns, the texts in the order in which they were read. */
function stage(onRead: (text: string, turns: ReadingTurns) => void = () => undefined) {
  const read: string[] = []
  const ended = Promise.withResolvers<void>()
  const turns = new ReadingTurns(async function* ({ texts }) {
    for (const text of texts) {
      read.push(text)
      onRead(text, turns)
      if (text === 'last') ended.resolve()
      yield
    }
  })
  return { turns, read, ended: ended.promise }
}

const passages = (call: number, ...texts: string[]): ReadingCall => ({ call, purpose: 'passage', texts })
const query = (call: number, ...texts: string[]): ReadingCall => ({ call, purpose: 'query', texts })

test('a query is read between two passages of a call, and passages otherwise in the order of their calls', async () => {
  const { turns, read, ended } = stage((text) => {
    if (text === 'p1') turns.add(query(3, 'q'))
  })
  turns.add(passages(1, 'p1', 'p2', 'p3'))
  turns.add(passages(2, 'last'))
  await ended
  assert.deepEqual(read, ['p1', 'q', 'p2', 'p3', 'last'])
})

test('nothing more is read for a call that was dropped', async () => {
  const { turns, read, ended } = stage((text) => {
    if (text === 'p1') turns.drop(1)
  })
  turns.add(passages(1, 'p1', 'p2', 'p3'))
  turns.add(passages(2, 'last'))
  await ended
  assert.deepEqual(read, ['p1', 'last'])
})
