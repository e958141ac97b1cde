import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findMarkdown, type ListFolder } from './files.ts'
import { readMarkdown } from '../../import/markdown-entry.ts'
import { UnusableFile } from '../../import/page-file.ts'
import { NotInside, openInside } from './open-inside.ts'

const PLACEMENT = { reference: 'r', language: null, categories: ['c'], isTop: true, group: null }
const DEFAULTS = { visibility: undefined, language: undefined, url: undefined }

/** Makes a folder to import, and beside it a secret one with the same file names. */
function stage(t: TestContext) {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'knowledge-inside-')))
  t.after(() => rmSync(place, { recursive: true, force: true }))
  for (const [folder, text] of [
    ['mine', 'Mine'],
    ['secret', 'Secret'],
  ]) {
    mkdirSync(join(place, folder, 'sub'), { recursive: true })
    writeFileSync(join(place, folder, 'a.md'), text)
    writeFileSync(join(place, folder, 'sub/b.md'), text)
  }
  const mine = join(place, 'mine')
  const secret = join(place, 'secret')
  /** Replaces a file or folder by a link to the secret one. @returns a function that undoes this */
  const swap = (name: string): (() => void) => {
    renameSync(join(mine, name), join(place, 'away'))
    symlinkSync(join(secret, name), join(mine, name))
    return () => {
      rmSync(join(mine, name))
      renameSync(join(place, 'away'), join(mine, name))
    }
  }
  return { mine, secret, swap }
}

async function contentsOf(top: string, path: string, opening?: typeof open): Promise<string> {
  await using handle = await openInside(top, path, opening)
  return handle.readFile('utf8')
}

const refused = (error: unknown) => error instanceof NotInside
const unusable = (error: unknown) => error instanceof UnusableFile

test('a listed file that then becomes a link out of the folder is not read', async (t) => {
  const { mine, swap } = stage(t)
  const { files } = await findMarkdown(mine)
  assert.deepEqual(
    files.map(({ segments }) => segments.join('/')),
    ['a.md', 'sub/b.md'],
  )
  const read = () => Promise.all(files.map((file) => readMarkdown(file, PLACEMENT, DEFAULTS)))
  assert.deepEqual(
    (await read()).map(({ content }) => content),
    ['Mine', 'Mine'],
  )
  for (const name of ['a.md', 'sub']) {
    const undo = swap(name)
    const file = files[name === 'a.md' ? 0 : 1]
    await assert.rejects(readMarkdown(file, PLACEMENT, DEFAULTS), unusable)
    undo()
    await readMarkdown(file, PLACEMENT, DEFAULTS)
  }
})

test('a file that is swapped for a link at the moment of opening is not read, even if it is swapped back', async (t) => {
  const { mine, swap } = stage(t)
  for (const [name, path] of [
    ['a.md', join(mine, 'a.md')],
    ['sub', join(mine, 'sub/b.md')],
  ]) {
    assert.equal(await contentsOf(mine, path), 'Mine')
    let undo = () => {}
    const swapped: typeof open = (...args) => {
      undo = swap(name)
      return open(...args)
    }
    await assert.rejects(contentsOf(mine, path, swapped), refused)
    undo()
    const swappedBack: typeof open = async (...args) => {
      const back = swap(name)
      // Opened without O_NOFOLLOW, as if the link existed only for that moment.
      const handle = await open(args[0]).finally(back)
      return handle
    }
    await assert.rejects(contentsOf(mine, path, swappedBack), refused)
    assert.equal(await contentsOf(mine, path), 'Mine')
  }
})

test('a link within the folder is read, a link out of it is refused, and a pipe does not block', async (t) => {
  const { mine, secret } = stage(t)
  symlinkSync(join(mine, 'sub'), join(mine, 'inside'))
  symlinkSync(secret, join(mine, 'outside'))
  assert.equal(await contentsOf(mine, join(mine, 'inside/b.md')), 'Mine')
  await assert.rejects(contentsOf(mine, join(mine, 'outside/a.md')), refused)
  await assert.rejects(contentsOf(mine, join(mine, 'sub')), refused)
  assert.equal(spawnSync('mkfifo', [join(mine, 'pipe.md')]).status, 0)
  await assert.rejects(contentsOf(mine, join(mine, 'pipe.md')), refused)
})

test('a folder that becomes a link while it is listed adds no files and makes the result incomplete', async (t) => {
  const { mine, secret, swap } = stage(t)
  writeFileSync(join(secret, 'sub/told.md'), 'its name is told by nobody')
  const listed: string[] = []
  const list: ListFolder = (folder) => {
    if (folder === join(mine, 'sub')) swap('sub')
    listed.push(...readdirSync(folder))
    return readdir(folder, { withFileTypes: true })
  }
  const { files, skipped, complete } = await findMarkdown(mine, list)
  assert.ok(listed.includes('told.md'))
  assert.deepEqual(
    files.map(({ segments }) => segments.join('/')),
    ['a.md'],
  )
  assert.deepEqual(skipped, [{ path: join(mine, 'sub'), reason: 'the folder was replaced while it was read' }])
  assert.equal(complete, false)
})
