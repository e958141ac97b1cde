import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { BATCH } from '../../src/knowledge/entries/bulk/bulk-rules.ts'
import { CONNECTION_WAIT_MS } from '../../src/platform/database/postgres.ts'
import { POOL_MAX } from '../../src/platform/database/postgres-address.ts'
import { BULKS_PER_TENANT_MAX } from '../../src/platform/http/lines/bulk-slots.ts'
import { USELESS_LINES_MAX } from '../../src/platform/lines/line-tally.ts'
import { CONNECTIONS_MAX } from '../../src/platform/http/transport/connections.ts'
import {
  HELD_BY_CREDENTIAL_MAX,
  HELD_BY_TENANT_MAX,
  SMALL_BYTES,
} from '../../src/platform/http/transport/held-memory.ts'
import { PRODUCT_BATCH } from '../../src/shop/products/bulk/push-rules.ts'
import { MAX_RETIRED_DEFAULT } from '../../src/shop/products/bulk/max-retired.ts'

const KIBIBYTE = 1_024
const MEBIBYTE = 1_024 * KIBIBYTE
const WORDS: Readonly<Record<number, string>> = { 5: 'five', 10: 'ten' }
const grouped = (number: number): string => number.toLocaleString('en')
const uselessLines = `more than ${grouped(USELESS_LINES_MAX)} lines, and more than half of all, were blank or`

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'docs/operations/run.md': [
    `are at most ${grouped(CONNECTIONS_MAX)}, or half the files`,
    `A credential that holds more than ${HELD_BY_CREDENTIAL_MAX / MEBIBYTE} MiB of them, or a tenant more than ${HELD_BY_TENANT_MAX / MEBIBYTE} MiB`,
    `Bodies above ${SMALL_BYTES / KIBIBYTE} KiB count too`,
    `each process has ${WORDS[POOL_MAX]} connections for requests`,
    `waits ${WORDS[CONNECTION_WAIT_MS / 1_000]} seconds for a connection`,
    `up to ${PRODUCT_BATCH.lines} products at a time`,
  ],
  'docs/reference/product-feeds.md': [
    uselessLines,
    `At most ${BULKS_PER_TENANT_MAX} bulk requests of a tenant run at once`,
  ],
  'docs/guides/run-a-shop.md': [
    `more than ${MAX_RETIRED_DEFAULT.percent} percent of the products would go (or more than ${MAX_RETIRED_DEFAULT.atLeast}`,
  ],
  'docs/guides/import.md': [`its batch of ${BATCH.lines} entries`],
}

test('documents name the same limits as the code', () => {
  for (const [page, sentences] of Object.entries(SENTENCES)) {
    const text = readFileSync(page, 'utf8').replaceAll(/\s+/g, ' ')
    for (const sentence of sentences) assert.ok(text.includes(sentence), `${page}: ${sentence}`)
  }
})
