import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { OriginalsLost, UnnamedFiles } from './original-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'knowledge-originals-'))
after(() => rmSync(folder, { recursive: true }))

test('a file of vectors gives back what it was given, and has no name that anybody could open', async () => {
  const file = new UnnamedFiles(join(folder, 'new'), 1_000).create(6)!
  await file.append(Uint8Array.of(1, 2, 3, 4))
  await file.append(Uint8Array.of(5, 6))
  assert.deepEqual(readdirSync(join(folder, 'new')), [])
  const into = new Uint8Array(3)
  file.read(into, 2)
  assert.deepEqual([...into], [3, 4, 5])
  assert.throws(() => file.read(into, 4), OriginalsLost)
  file.close()
})

test('files take no more together than they may, and a closed one gives its room back', () => {
  const files = new UnnamedFiles(folder, 100)
  const first = files.create(60)!
  assert.equal(files.create(60), null)
  first.close()
  const second = files.create(60)!
  files.giveUp()
  second.close()
  assert.equal(files.create(1), null)
})

test('a folder that cannot be made or written is told as lost originals', () => {
  assert.throws(() => new UnnamedFiles('/dev/null/vectors', 100).create(1), OriginalsLost)
})
