// A reporter of Node's test runner for long runs: a line for each process that ended, and each failure when it happens.
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { runNameOf } from './test-runs.ts'

export default async function* progress(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const startedMs = performance.now()
  const total = Number(process.env.TEST_RUNS)
  let ended = 0
  for await (const { type, data } of source) {
    // A suite fails by its tests, which are reported themselves.
    if (type === 'test:fail' && data.details.type !== 'suite')
      yield `✖ ${data.name} (${data.file}:${data.line})\n${inspect(data.details.error)}\n`
    if (type !== 'test:summary') continue
    const { tests: all, passed, skipped, todo } = data.counts
    const failed = all - passed - skipped - todo
    const tests = `${passed} passed${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`
    const minutes = `${((performance.now() - startedMs) / 60_000).toFixed(1)} min`
    if (data.file === undefined) yield `All: ${tests}, ${minutes}\n`
    else yield `${minutes}  ${++ended} of ${total}  ${runNameOf(data.file)}: ${tests}\n`
  }
}
