import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { BATCH_ENTRIES } from '../../src/channels/cli/import/entry-writer.ts'
import { CONNECTION_WAIT_MS, POOL_MAX } from '../../src/platform/database/postgres.ts'
import { BULKS_PER_TENANT_MAX } from '../../src/platform/http/lines/bulk-slots.ts'
import { USELESS_LINES_MAX } from '../../src/platform/http/lines/line-tally.ts'
import { CONNECTIONS_MAX } from '../../src/platform/http/transport/connections.ts'
import {
  HELD_BY_CREDENTIAL_MAX,
  HELD_BY_TENANT_MAX,
  SMALL_BYTES,
} from '../../src/platform/http/transport/held-memory.ts'
import { BATCH } from '../../src/shop/products/bulk/bulk-push.ts'
import { MAX_RETIRED_DEFAULT } from '../../src/shop/products/bulk/max-retired.ts'

const KIBIBYTE = 1_024
const MEBIBYTE = 1_024 * KIBIBYTE
const WORDS: Readonly<Record<number, string>> = { 5: 'five', 10: 'ten' }
const grouped = (number: number): string => number.toLocaleString('en')
const uselessLines = `more than ${grouped(USELESS_LINES_MAX)} lines, and more than half of all, were blank or`

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'docs/operations.md': [
    `bounded to ${grouped(CONNECTIONS_MAX)}, or to half of the files`,
    `A credential that holds more than ${HELD_BY_CREDENTIAL_MAX / MEBIBYTE} MiB of them, or a tenant more than ${HELD_BY_TENANT_MAX / MEBIBYTE} MiB`,
    `Bodies above ${SMALL_BYTES / KIBIBYTE} KiB count too`,
    `each process has ${WORDS[POOL_MAX]} connections for requests`,
    `waits ${WORDS[CONNECTION_WAIT_MS / 1_000]} seconds for a connection`,
    uselessLines,
    `${MAX_RETIRED_DEFAULT.percent} percent of the site's products of that source, or ${MAX_RETIRED_DEFAULT.atLeast} where that is more`,
    `At most ${BULKS_PER_TENANT_MAX} bulk requests of a tenant run at once`,
    `a batch of ${BATCH.lines} products at a time`,
  ],
  'docs/command-line.md': [`the batch that runs (${BATCH_ENTRIES} entries)`, uselessLines],
}

test('documents tell the bounds that the code has', () => {
  for (const [page, sentences] of Object.entries(SENTENCES)) {
    const text = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')
    for (const sentence of sentences) assert.ok(text.includes(sentence), `${page}: ${sentence}`)
  }
})
