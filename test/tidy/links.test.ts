import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, normalize, relative, resolve } from 'node:path'
import { test } from 'node:test'

/** Every Markdown file of the repository, relative to the project's root. */
const PAGES = globSync('**/*.md', { exclude: isForeign })

/** The target of a link: a file of the repository, with an anchor or without. */
interface Link {
  readonly from: string
  readonly to: string
  readonly anchor: string
}

test('every link in a Markdown file leads to an existing file', () => {
  const links = PAGES.flatMap(linksOf)
  assert.ok(links.length > 100, `${links.length} links are too few`)
  const dead = links.filter(({ to }) => !existsSync(to))
  assert.deepEqual(dead, [])
})

test('every anchor in a Markdown file is a heading of the page it names', () => {
  const links = PAGES.flatMap(linksOf).filter(({ to, anchor }) => anchor && to.endsWith('.md') && existsSync(to))
  assert.ok(links.length > 20, `${links.length} anchors are too few`)
  const anchors = new Map(Array.from(new Set(links.map(({ to }) => to)), (page) => [page, anchorsOf(page)]))
  const dead = links.filter(({ to, anchor }) => !anchors.get(to)!.has(anchor))
  assert.deepEqual(dead, [])
})

test('docs/README.md links every page under docs', () => {
  const linked = new Set(['docs/README.md', ...linksOf('docs/README.md').map(({ to }) => to)])
  const lost = globSync('docs/**/*.md').filter((page) => !linked.has(page))
  assert.deepEqual(lost, [])
})

test('code, scripts and tests name only existing pages under docs', () => {
  const files = globSync('{src,test,bench,scripts,bin,console/src}/**/*.{ts,tsx,mjs,css}', { exclude: isForeign })
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => ({ file, page })),
  )
  assert.ok(named.length > 10, `${named.length} names are too few`)
  const missing = named.filter(({ file, page }) => !existsSync(page) && !MADE_UP.has(relative('.', file)))
  assert.deepEqual(missing, [])
})

/** Tells whether a path is a folder of installed packages, of data, or a hidden one. */
function isForeign(path: string): boolean {
  return /^(node_modules|data)$|^\.[^.]/.test(basename(path))
}

/** Tests that name pages of made-up folders. */
const MADE_UP: ReadonlySet<string> = new Set(
  globSync('{src/channels/import,src/channels/cli/import,test/cli}/**/*.test.ts').map((file) => normalize(file)),
)

/** Returns the relative links of a page outside of code, in the order of the page. */
function linksOf(page: string): Link[] {
  const matches = withoutCode(readFileSync(page, 'utf8')).matchAll(/\]\(([^()\s]+)\)/g)
  return [...matches]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z]+:/i.test(target) && !target.startsWith('/'))
    .map((target) => {
      const [path, anchor = ''] = target.split('#')
      const to = path ? relative('.', resolve(dirname(page), decodeURIComponent(path))) : page
      return { from: page, to, anchor }
    })
}

/**
 * Returns the anchors that GitHub makes of the headings: lower case, hyphens for spaces, no punctuation, repeated ones
 * numbered.
 */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  const text = readFileSync(page, 'utf8').replace(/^```[^]*?^```/gm, '')
  for (const [, heading] of text.matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const name = plain.replace(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-')
    let anchor = name
    for (let double = 1; anchors.has(anchor); double++) anchor = `${name}-${double}`
    anchors.add(anchor)
  }
  for (const [, id] of text.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id)
  return anchors
}

function withoutCode(text: string): string {
  return text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '``')
}
