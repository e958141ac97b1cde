import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OpenedParts } from './opened-parts.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('what a start has opened', () => {
  test('is closed from the last stage to the first, and side by side within one', async () => {
    const opened = new OpenedParts()
    const said: string[] = []
    const part = (name: string) => ({
      close: async () => {
        said.push(`${name} begins`)
        await turn()
        said.push(`${name} ends`)
      },
    })
    opened.add(part('database'))
    opened.beginStage()
    opened.add(part('search'))
    opened.add(part('queue'))
    await opened.close()
    const within = ['search begins', 'queue begins', 'search ends', 'queue ends']
    assert.deepEqual(said, [...within, 'database begins', 'database ends'])
    await opened.close()
    assert.equal(said.length, 6, 'nothing is closed twice')
  })

  test('is closed whole when one part cannot be, and the first failure is told', async () => {
    const opened = new OpenedParts()
    let isClosed = false
    opened.add({ close: () => (isClosed = true) })
    opened.beginStage()
    opened.add({ close: () => Promise.reject(new Error('of a promise')) })
    opened.beginStage()
    opened.add({
      close: () => {
        throw new Error('at once')
      },
    })
    await assert.rejects(opened.close(), /^Error: at once$/)
    assert.ok(isClosed)
  })
})
