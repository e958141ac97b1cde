import { deepEqual, equal, rejects } from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, it } from 'node:test'
import { FairSlots } from './fair-slots.ts'

function stage(slots: number, waitMs = 500) {
  const fair = new FairSlots(slots, waitMs)
  const entered: string[] = []
  const enter = (owner: string): void =>
    void fair.enter(owner).then(
      () => entered.push(owner),
      () => undefined,
    )
  return { fair, entered, enter }
}

describe('slots that owners take turns at', () => {
  it('leave half of them to others, however many one asks for', async () => {
    const { fair, entered, enter } = stage(10)
    for (let i = 0; i < 200; i++) enter('much')
    enter('little')
    await turn()
    deepEqual(entered, [...Array.from({ length: 5 }, () => 'much'), 'little'])
    fair.leave('much')
    await turn()
    equal(entered.length, 7)
  })

  it('go to the owner whose turn it is when all are taken', async () => {
    const { fair, entered, enter } = stage(2)
    for (let i = 0; i < 50; i++) enter('a')
    for (let i = 0; i < 50; i++) enter('b')
    enter('c')
    await turn()
    for (const owner of ['a', 'b', 'a']) fair.leave(owner)
    await turn()
    deepEqual(entered, ['a', 'b', 'a', 'b', 'c'])
  })

  it('may all be had by what is nobody’s', async () => {
    const { entered, enter } = stage(4)
    for (let i = 0; i < 6; i++) enter('')
    await turn()
    equal(entered.length, 4)
  })

  it('are not lost on who gave up', async () => {
    const { fair, entered, enter } = stage(2, 5)
    enter('a')
    enter('b')
    await rejects(fair.enter('c'), /timeout exceeded/)
    fair.leave('a')
    enter('d')
    await turn()
    deepEqual(entered, ['a', 'b', 'd'])
  })
})
