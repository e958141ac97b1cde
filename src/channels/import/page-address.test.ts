import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTemplate } from '../cli/import/address-template.ts'
import { addressOf, ownAddress } from './page-address.ts'

const BASE = 'https://example.com/docs/{path}'

test('a page is published under the path of its file, and the page of a folder under that of the folder', () => {
  const at = (...segments: string[]) => addressOf(`${BASE}/`, segments)
  assert.equal(at('setup', 'install.md'), 'https://example.com/docs/setup/install/')
  for (const name of ['_index.md', 'index.md', 'README.md', 'readme.markdown']) {
    assert.equal(at('setup', name), 'https://example.com/docs/setup/')
    assert.equal(at(name), 'https://example.com/docs/')
  }
  assert.equal(at('indexing.md'), 'https://example.com/docs/indexing/')
})

test('names are written so that an address can have them', () => {
  assert.equal(
    addressOf(BASE, ['Ü & Ö', '50 % $& ?.md']),
    'https://example.com/docs/%C3%9C%20%26%20%C3%96/50%20%25%20%24%26%20%3F',
  )
  const decomposed = 'Ü'.normalize('NFD')
  assert.equal(addressOf(BASE, [`${decomposed}.md`]), 'https://example.com/docs/%C3%9C')
})

test('a template may ask for the file as it is', () => {
  const template = readTemplate('https://code.example.com/blob/main/{file}?plain=1')
  assert.equal(addressOf(template, ['a', 'README.md']), 'https://code.example.com/blob/main/a/README.md?plain=1')
})

test('a template that is no address, or the same for every page, is refused', () => {
  for (const bad of [
    'https://example.com/',
    '/docs/{path}',
    'ftp://example.com/{path}',
    'javascript:{path}',
    'https://{',
  ]) {
    assert.throws(() => readTemplate(bad), /--url takes an address with \{path\} or \{file\}/, bad)
  }
})

test('a page may name its own address, whole or on the host of the others', () => {
  assert.equal(ownAddress('https://other.example/x', undefined), 'https://other.example/x')
  assert.equal(ownAddress('/start/', BASE), 'https://example.com/start/')
  assert.equal(ownAddress('/start/', undefined), null)
  assert.equal(ownAddress('start', BASE), null)
  assert.equal(ownAddress('//other.example/', BASE), null)
})
