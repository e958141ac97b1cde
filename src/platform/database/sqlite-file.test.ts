import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openReader, openWriter } from './sqlite-file.ts'

test('a thread that reads whole tables once keeps few pages of them, and connections that answer requests keep many', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-cache-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'k.db')
  const connections = [openWriter(file), openReader(file), openReader(file, true)]
  const mebibytes = connections.map((each) => Number(each.pragma('cache_size', { simple: true })) / -1_024)
  for (const each of connections) each.close()
  assert.deepEqual(mebibytes, [64, 64, 4])
})
