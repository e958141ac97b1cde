import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { TOKENS_MAX, windowsOf } from './windows.ts'

test('every token of a text is in exactly one window, between the beginning and the end of the text', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 6 }), (length, lead) => {
      const head = Array.from({ length: lead }, (_, i) => -i - 1)
      const body = Array.from({ length }, (_, i) => i)
      const windows = windowsOf([...head, ...body, Infinity], lead)
      assert.deepEqual(
        windows.flatMap((window) => window.slice(lead, -1)),
        body,
      )
      for (const window of windows) {
        assert.deepEqual([window.slice(0, lead), window.at(-1)], [head, Infinity])
        assert.ok(window.length <= TOKENS_MAX)
      }
      const lengths = windows.map((window) => window.length)
      assert.ok(Math.max(...lengths) - Math.min(...lengths) <= windows.length, `lengths ${lengths.join()}`)
    }),
  )
})
