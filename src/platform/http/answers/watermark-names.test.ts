import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { WatermarkNames } from './watermark-names.ts'

const key = randomBytes(32)
const names = new WatermarkNames(() => key)

test('a watermark has another name each time, which is read in its tenant and nowhere else', () => {
  const watermark = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  fc.assert(
    fc.property(fc.string(), fc.string(), watermark, (one, other, a) => {
      const name = names.nameOf(one, a)
      assert.match(name, /^[\w-]{22}$/)
      assert.equal(names.read(one, name), a)
      assert.notEqual(names.nameOf(one, a), name)
      if (one !== other) assert.equal(names.read(other, name), null)
    }),
  )
})

test('a text that is no name, or a name made with another secret, is not read', () => {
  const foreign = new WatermarkNames(() => randomBytes(32)).nameOf('t', 1)
  for (const text of ['', '1', 'x'.repeat(22), foreign, `${names.nameOf('t', 1)}x`]) {
    assert.equal(names.read('t', text), null, text)
  }
})
