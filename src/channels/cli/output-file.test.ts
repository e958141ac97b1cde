import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import { writeWhole } from './output-file.ts'

test('an export goes into no file that another user has put in its way, by a link or with rights for all', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-output-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [victim, open] = [join(folder, 'victim'), join(folder, 'open')]
  writeFileSync(victim, 'mine')
  symlinkSync(victim, join(folder, 'first.jsonl.part'))
  writeFileSync(`${open}.part`, '', { mode: 0o666 })

  const { signal } = new AbortController()
  const nowhere = { stdout: new PassThrough() }
  await writeWhole(Readable.from(['secret\n']), join(folder, 'first.jsonl'), nowhere, signal)
  await writeWhole(Readable.from(['secret\n']), open, nowhere, signal)
  assert.equal(readFileSync(victim, 'utf8'), 'mine')
  assert.equal(statSync(open).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(folder).toSorted(), ['first.jsonl', 'open', 'victim'])
})
