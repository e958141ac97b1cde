// A reporter of Node's test runner for `scripts/test.ts`: a line of JSON for each run that ended and for each test that
// was skipped.
import type { TestEvent } from 'node:test/reporters'
import { isRun, runNameOf } from './test-runs.ts'

export type Outcome =
  | { readonly kind: 'run'; readonly run: string; readonly hasPassed: boolean }
  | { readonly kind: 'skipped'; readonly why: string }

export default async function* outcomes(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    const outcome = outcomeOf(event)
    if (outcome !== null) yield `${JSON.stringify(outcome)}\n`
  }
}

function outcomeOf({ type, data }: TestEvent): Outcome | null {
  if (type === 'test:complete' && isRun(data))
    return { kind: 'run', run: runNameOf(data.name), hasPassed: data.details.passed }
  if (type === 'test:pass' && data.skip !== undefined && data.skip !== false)
    return { kind: 'skipped', why: typeof data.skip === 'string' ? data.skip : 'no reason given' }
  return null
}
