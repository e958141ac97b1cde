import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineTally } from '../../../platform/lines/line-tally.ts'
import { csvRecords } from './csv.ts'
import { UnusableFeed } from './feed-record.ts'

test('a file without line breaks is refused before much of it is read', async () => {
  let chunks = 0
  const endless = async function* (): AsyncGenerator<Buffer> {
    for (; chunks < 1_000; chunks++) yield Buffer.alloc(64 * 1_024, 'x')
  }
  await assert.rejects(csvRecords(endless(), 'utf-8', new LineTally()).next(), UnusableFeed)
  assert.ok(chunks < 100, `${chunks} chunks of 64 KiB were read`)
})
