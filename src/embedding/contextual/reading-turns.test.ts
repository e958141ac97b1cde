import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReadingTurns, type ReadingCall } from './reading-turns.ts'

/** Runs calls with a step for each text. Returns the turns, the texts in the order in which they were read. */
function stage(onRead: (text: string, turns: ReadingTurns) => void = () => undefined) {
  const read: string[] = []
  const clock = { now: 0 }
  const ended = Promise.withResolvers<void>()
  const turns = new ReadingTurns(
    async function* ({ texts }) {
      for (const text of texts) {
        read.push(text)
        onRead(text, turns)
        if (text === 'last') ended.resolve()
        yield
      }
    },
    () => clock.now,
  )
  return { turns, read, clock, ended: ended.promise }
}

const passages = (call: number, ...texts: string[]): ReadingCall => ({ call, purpose: 'passage', owner: 'a', texts })
const query = (call: number, ...texts: string[]): ReadingCall => queryOf('a', call, ...texts)
const queryOf = (owner: string, call: number, ...texts: string[]): ReadingCall => ({
  call,
  purpose: 'query',
  owner,
  texts,
})

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

test('tenants take turns, so that a tenant with many long queries delays the query of another one by a step', async () => {
  const { turns, read, ended } = stage((text) => {
    if (text === 'a2') turns.add(queryOf('c', 5, 'c1'))
  })
  turns.add(query(1, 'a1', 'a2', 'a3'))
  turns.add(query(2, 'a4'))
  turns.add(queryOf('b', 3, 'b1'))
  turns.add(query(4, 'last'))
  await ended
  assert.deepEqual(read, ['a1', 'b1', 'a2', 'c1', 'a3', 'a4', 'last'])
})

test('a tenant whose only call is dropped while it is read may ask again', async () => {
  const { turns, read, ended } = stage((text) => {
    if (text !== 'a1') return
    turns.drop(1)
    turns.add(query(3, 'a3'))
  })
  turns.add(query(1, 'a1', 'a2'))
  turns.add(queryOf('b', 2, 'b1', 'b2', 'b3', 'last'))
  await ended
  assert.deepEqual(read, ['a1', 'b1', 'a3', 'b2', 'b3', 'last'])
})

test('queries without end leave passages a step each half second', async () => {
  const { turns, read, clock, ended } = stage((text, all) => {
    clock.now += text.startsWith('p') ? 0 : 100
    const asked = read.filter((each) => each.startsWith('q')).length
    if (text.startsWith('q') && asked < 13) all.add(query(asked + 10, `q${asked + 1}`))
    if (asked === 13 && text === 'q13') all.add(passages(99, 'last'))
  })
  turns.add(passages(1, 'p1', 'p2', 'p3'))
  turns.add(query(2, 'q1'))
  await ended
  const at = (text: string): number => read.indexOf(text)
  assert.deepEqual([at('p1'), at('p2') - at('p1'), at('p3') - at('p2')], [0, 6, 6])
})
