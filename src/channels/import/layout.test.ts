import assert from 'node:assert/strict'
import { test } from 'node:test'
import { candidateLevels, languageCode, layOut, type Root } from './layout.ts'

const root: Root = { names: ['srv', 'company'], isLanguage: false }

/** Lays out files as if the pages of every candidate level confirmed that it is one of languages. */
function place(paths: readonly string[], from: Root = root) {
  const files = paths.map((path) => path.split('/'))
  return layOut(from, files, new Set(candidateLevels(files).keys()))
}

test('folders named like languages are languages only if all folders of their level are', () => {
  const [it, sales] = place(['it/printers.md', 'sales/prices.md'])
  assert.deepEqual([it.language, it.categories, it.group], [null, ['it'], null])
  assert.deepEqual(sales.categories, ['sales'])
  const [de, en] = place(['content/de/docs/a/x.md', 'content/en/docs/a/x.md'])
  assert.deepEqual([de.language, en.language], ['de', 'en'])
  assert.deepEqual([de.categories, en.categories], [['a'], ['a']])
  assert.equal(de.group, en.group)
  const [below] = place(['guide/de/x.md', 'guide/en/x.md'])
  assert.deepEqual([below.language, below.categories], [null, ['guide', 'de']])
})

test('folders named like languages are categories if their pages do not confirm the language', () => {
  const files = ['hr/leave.md', 'it/printers.md'].map((path) => path.split('/'))
  const placed = layOut(root, files, new Set())
  assert.deepEqual(
    placed.map(({ language, categories, group }) => [language, categories, group]),
    [
      [null, ['hr'], null],
      [null, ['it'], null],
    ],
  )
})

test('a single folder beside documents is not a language, but one alone is', () => {
  assert.equal(place(['de/x.md', 'readme.md'])[0].language, null)
  assert.equal(place(['de/x.md'])[0].language, 'de')
})

test('an imported folder that is itself a language gives its files their group and category', () => {
  const from: Root = { names: ['srv', 'handbook', 'de'], isLanguage: true }
  const [top, deep] = place(['start.md', 'docs/setup/x.md'], from)
  assert.deepEqual([top.reference, top.language, top.categories, top.isTop], ['de/start.md', 'de', ['handbook'], true])
  assert.deepEqual([deep.language, deep.categories, deep.group], ['de', ['setup'], 'docs/setup/x.md'])
})

test('a language in the file name counts when the file has a sibling in another', () => {
  const [german, plain, alone, script] = place(['a/guide.de.md', 'a/guide.md', 'a/notes.de.md', 'a/x.ts.md'])
  assert.deepEqual([german.language, german.group], ['de', 'company/a/guide.md'])
  assert.deepEqual([plain.language, alone.language, script.language], [null, null, null])
  assert.deepEqual(
    place(['guide.de.md', 'guide.pt-br.md']).map(({ language, group }) => [language, group]),
    [
      ['de', 'company/guide.md'],
      ['pt-BR', 'company/guide.md'],
    ],
  )
})

test('references are the same whatever Unicode form the file system uses', () => {
  assert.equal(place(['u\u0308ber/a.md'])[0].reference, 'company/\u00fcber/a.md')
})

test('codes are current language codes, with or without a region', () => {
  assert.deepEqual(['de', 'EN', 'zh_cn', 'in', 'xx', 'docs', 'd'].map(languageCode), [
    'de',
    'en',
    'zh-CN',
    null,
    null,
    null,
    null,
  ])
})
