import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { readCommit } from './commit.ts'

const ONE = '1'.repeat(40)
const TWO = '2'.repeat(40)

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-commit-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

test('the commit is that of the branch, of the packed branch, of a detached head, or of the file beside the program', (t) => {
  const head = 'ref: refs/heads/main\n'
  const packed = `# pack-refs with: peeled\n${TWO} refs/heads/main\n${ONE} refs/heads/other-main\n`
  assert.equal(readCommit(folderWith(t, { '.git/HEAD': head, '.git/refs/heads/main': `${ONE}\n` })), ONE)
  assert.equal(readCommit(folderWith(t, { '.git/HEAD': head, '.git/packed-refs': packed })), TWO)
  assert.equal(readCommit(folderWith(t, { '.git/HEAD': `${ONE}\n` })), ONE)
  const image = { COMMIT: `${TWO}\n`, '.git/HEAD': `${ONE}\n` }
  assert.equal(readCommit(folderWith(t, image)), TWO)
})

test('a work tree of its own finds the branch in its clone', (t) => {
  const folder = folderWith(t, {
    'clone/.git/refs/heads/side': ONE,
    'clone/.git/worktrees/side/HEAD': 'ref: refs/heads/side\n',
    'clone/.git/worktrees/side/commondir': '../..\n',
    'side/.git': 'gitdir: ../clone/.git/worktrees/side\n',
  })
  assert.equal(readCommit(join(folder, 'side')), ONE)
})

test('a copy that does not tell has no commit', (t) => {
  assert.equal(readCommit(folderWith(t, {})), null)
  assert.equal(readCommit(folderWith(t, { COMMIT: 'unknown\n' })), null)
  assert.equal(readCommit(folderWith(t, { '.git/HEAD': 'ref: refs/heads/none\n' })), null)
})
