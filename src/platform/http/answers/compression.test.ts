import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredCoding } from './compression.ts'

test('the coding that the client prefers is taken, of several the cheapest', () => {
  const cases: [string, string | null][] = [
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['GZIP;q=0.5, br;q=0.8', 'br'],
    ['gzip;q=1, zstd;q=0.1', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0.5, zstd;q=0', 'br'],
    ['deflate', null],
    ['identity', null],
    ['identity;q=1, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', null],
    ['', null],
    [',;q=1, gzip;q=2', null],
  ]
  for (const [header, coding] of cases) assert.equal(preferredCoding(header), coding, header)
})
