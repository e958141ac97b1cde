import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PropertyColumn, PropertyValues } from './property-column.ts'

test('numbers of values and names are reused once no document has them, so made-up names do not add up', () => {
  const values = new PropertyValues()
  const empty = values.heapBytes
  let filled = 0
  for (let round = 0; round < 50; round++) {
    const column = new PropertyColumn(values)
    for (let slot = 0; slot < 100; slot++) column.append({ [`m.${round}-${slot}`]: [`${slot}`, 'x'], 'm.same': [] })
    if (round === 0) filled = values.heapBytes
    assert.equal(values.heapBytes > filled + 2_000, false)
    column.free()
  }
  assert.equal(values.count, 201)
  assert.ok(values.heapBytes < empty + 201 * 100)
  assert.equal(values.findProperty('m.same'), -1)
})

test('a copied slot keeps its values when the column it came from is freed', () => {
  const values = new PropertyValues()
  const [from, to] = [new PropertyColumn(values), new PropertyColumn(values)]
  from.append({ 'm.a': ['1'] })
  from.append({ 'm.a': ['2', 'x'] })
  to.copy(from, 1)
  from.free()
  assert.deepEqual([...to.numbersOf('m.a')], [2])
  assert.deepEqual([...to.withAny('m.a', ['x', 'y'])], [1])
  assert.equal(values.find('m.a', '1'), -1)
})
