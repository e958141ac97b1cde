import assert from 'node:assert/strict'
import type { Answer } from './stage.ts'

/** Fails unless it is this refusal of OAuth, and gives nothing away. */
export function refused({ status, json, text }: Answer, error: string, expected = 400): void {
  assert.deepEqual([status, json?.error], [expected, error], text)
  assert.equal(json.access_token ?? json.client_secret, undefined)
}
