// A reporter of Node's test runner for long runs: a line for each process when it ends, and each failure. The runner tells
// of failures in the order in which the processes began.
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { isRun, runNameOf } from './test-runs.ts'

export default async function* progress(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const startedMs = performance.now()
  const total = Number(process.env.TEST_RUNS)
  let ended = 0
  for await (const { type, data } of source) {
    if (type === 'test:fail' && !hasFailedInside(data) && data.todo === undefined)
      yield `✖ ${data.name} (${data.file}:${data.line})\n${inspect(data.details.error)}\n`
    const minutes = `${((performance.now() - startedMs) / 60_000).toFixed(1)} min`
    if (type === 'test:complete' && isRun(data)) {
      const took = `${Math.ceil(data.details.duration_ms / 1_000)} s`
      const run = runNameOf(data.name)
      yield `${minutes}  ${++ended} of ${total}  ${run}: ${data.details.passed ? 'passed' : 'FAILED'} in ${took}\n`
    }
    // The summary of the whole run has no file.
    if (type === 'test:summary' && data.file === undefined) {
      const { tests, passed, skipped, todo } = data.counts
      yield `All: ${passed} passed, ${tests - passed - skipped - todo} failed, ${skipped} skipped, ${minutes}\n`
    }
  }
}

/**
 * Tells whether a suite failed because of a test inside it, which has a line of its own. A suite can also fail by its
 * own hook.
 */
function hasFailedInside({ details }: { readonly details: { readonly error: Error } }): boolean {
  return 'failureType' in details.error && details.error.failureType === 'subtestsFailed'
}
