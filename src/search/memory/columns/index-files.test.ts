import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { type IndexFile, IndexFileLost, UnnamedFiles } from './index-files.ts'
import { inTier } from '../../../../test/support/tier.ts'

const folder = mkdtempSync(join(tmpdir(), 'knowledge-index-files-'))
const MIB = 2 ** 20
after(() => rmSync(folder, { recursive: true }))

test('a file gives back what it was given, and has no name by which it could be opened', async () => {
  const file = new UnnamedFiles(join(folder, 'new'), MIB).create(6)!
  await file.append(Uint8Array.of(1, 2, 3, 4))
  await file.append(Uint8Array.of(5, 6))
  assert.deepEqual(readdirSync(join(folder, 'new')), [])
  const into = new Uint8Array(3)
  file.read(into, 2)
  assert.deepEqual([...into], [3, 4, 5])
  assert.throws(() => file.read(into, 4), IndexFileLost)
  file.close()
})

function openFiles(): number {
  return readdirSync('/proc/self/fd').length
}

test('files take no more together than they may, and a closed one gives its room back', () => {
  for (const bytes of [20 * MIB, 60]) {
    const files = new UnnamedFiles(folder, bytes === 60 ? 2 ** 12 : 30 * MIB)
    const first = files.create(bytes)!
    assert.equal(files.create(bytes), null)
    first.close()
    const second = files.create(bytes)!
    files.giveUp()
    second.close()
    assert.equal(files.create(1), null)
  }
})

test('small files share one, each with its own bytes, however they come and go', async () => {
  const sizes = fc.array(fc.tuple(fc.nat(200_000), fc.nat(3)), { minLength: 1, maxLength: 25 })
  const property = fc.asyncProperty(sizes, async (history) => {
    const open = openFiles()
    const files = new UnnamedFiles(folder, 3 * MIB)
    const entries: { file: IndexFile; content: Uint8Array }[] = []
    for (const [n, [bytes, gone]] of history.entries()) {
      const file = files.create(bytes)
      if (file !== null) {
        const content = new Uint8Array(bytes).fill(n + 1)
        await file.append(content)
        entries.push({ file, content })
      }
      if (gone === 0) entries.splice(n % Math.max(1, entries.length), 1)[0]?.file.close()
      for (const { file: other, content } of entries) {
        const into = new Uint8Array(content.length)
        other.read(into, 0)
        assert.deepEqual(into, content)
      }
      assert.ok(openFiles() <= open + 1)
    }
    for (const { file } of entries) file.close()
    // All of the room is there again, end to end.
    assert.notEqual(files.create(3 * MIB), null)
  })
  await fc.assert(property, { numRuns: inTier({ gate: 10, all: 30 }) })
})

test('a folder that cannot be made or written is told as a lost file', () => {
  assert.throws(() => new UnnamedFiles('/dev/null/index', MIB).create(1), IndexFileLost)
})
