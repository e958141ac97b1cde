import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workFor, workRecord } from '../hidden-parameters.ts'
import type { Span } from './tracing.ts'
import { inSpan, WorkRecord } from './work-record.ts'

const span: Span = { traceId: '', headers: {}, begin: () => span, add: () => undefined, end: () => undefined }

for (const [how, traced] of Object.entries({ 'with a trace': span, 'without a trace': null })) {
  test(`a change that is stored within a part of a request is noted with the request, ${how}`, async () => {
    const request = new WorkRecord(traced)
    const part = async (number: number | null): Promise<void> => {
      workRecord()!.noteWatermark(number)
    }
    await workFor('t', () => inSpan('writes', {}, () => part(7)), request)
    await workFor('t', () => inSpan('reads', {}, () => part(null)), request)
    assert.equal(request.watermark, 7)
  })
}
