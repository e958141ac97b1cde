import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault, unavailable } from '../faults.ts'
import { LineTally, USELESS_LINES_MAX } from './line-tally.ts'
import { pushBatches, takeAll } from './push-batches.ts'

interface Line {
  readonly bytes: number
  readonly input?: { readonly name: string } | undefined
}

const limits = { lines: 3, bytes: 1_000 }
const line = (name: string): Line => ({ bytes: 1, input: { name } })
const refused: Line = { bytes: 0 }
const asFault = (error: unknown) => (error instanceof Fault ? error : null)

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

test('outcomes keep the order of their lines, with none for refused lines, however few are stored at once', async () => {
  const calls: string[][] = []
  const take = async (inputs: readonly { name: string }[]) => {
    calls.push(inputs.map(({ name }) => name))
    return [{ status: 'stored', name: inputs[0].name }]
  }
  const source = each([refused, line('a'), line('b'), line('c')])
  const batches = await Array.fromAsync(
    pushBatches(source, { limits, tally: new LineTally(), take, faultOf: undefined }),
  )
  assert.deepEqual(
    batches.map(({ outcomes }) => outcomes.map((outcome) => (outcome as { name: string } | null)?.name)),
    [[undefined, 'a', 'b'], ['c']],
  )
  assert.deepEqual(calls, [['a', 'b'], ['b'], ['c']])
})

test('an outage fails the rest of its batch, and the next batch is tried', async () => {
  const take = async ([{ name }]: readonly { name: string }[]) => {
    if (name === 'b') throw unavailable('Storage', 1, null)
    return [{ status: 'stored' as const }]
  }
  const source = each(['a', 'b', 'c', 'd'].map(line))
  const batches = await Array.fromAsync(pushBatches(source, { limits, tally: new LineTally(), take, faultOf: asFault }))
  assert.deepEqual(
    batches.map(({ outcomes, refusal }) => [refusal?.kind, ...outcomes.map((outcome) => outcome?.status)]),
    [
      ['unavailable', 'stored', 'failed', 'failed'],
      [undefined, 'stored'],
    ],
  )
})

test('an error that is not known to fail lines ends the push', async () => {
  const outage = unavailable('Storage', 1, null)
  await assert.rejects(
    takeAll(['a'], () => Promise.reject(outage)),
    outage,
  )
  const mistake = new TypeError('a mistake')
  await assert.rejects(
    takeAll(['a'], () => Promise.reject(mistake), asFault),
    mistake,
  )
})

test('no further batch is read once the consumer has counted too many failed lines', async () => {
  const tally = new LineTally()
  let read = 0
  const source = async function* (): AsyncGenerator<Line> {
    for (;;) {
      tally.line = ++read
      yield refused
    }
  }
  const take = () => Promise.resolve([])
  for await (const { lines } of pushBatches(source(), { limits, tally, take, faultOf: undefined }))
    tally.failed += lines.length
  assert.equal(read, Math.ceil((USELESS_LINES_MAX + 1) / limits.lines) * limits.lines)
})
