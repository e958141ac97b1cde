import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileCheck } from './check.ts'
import { canonicalLanguage, namedLanguage, primaryLanguage } from './language.ts'
import { LanguageTag, Nullable, Type } from './schema.ts'

test('a language tag is written in its canonical form, and anything else is none', () => {
  const tags = ['EN', 'en', 'de-at', 'PT-br', 'deu', 'iw', 'yue', 'zh-hans-cn']
  assert.deepEqual(tags.map(canonicalLanguage), ['en', 'en', 'de-AT', 'pt-BR', 'de', 'he', 'yue', 'zh-Hans-CN'])
  const others = ['', 'd', 'en_US', 'de-', '-de', 'd3', '12', 'deutsch!', 'x-y', ' de', `de-${'a-'.repeat(99)}`]
  for (const tag of others) assert.equal(canonicalLanguage(tag), null, tag)
  assert.deepEqual(['de', 'de-AT', 'zh-Hans-CN'].map(primaryLanguage), ['de', 'de', 'zh'])
})

test('a language with a name is told from a tag that is only well-formed', () => {
  assert.deepEqual(['DE', 'pt-br', 'nds', 'en-gb'].map(namedLanguage), ['de', 'pt-BR', 'nds', 'en-GB'])
  for (const tag of ['xxx', 'und', 'qaa', 'de-XX', 'en_US', '']) assert.equal(namedLanguage(tag), null, tag)
})

test('a contract takes a language tag, hands on its canonical form, and names every fault', () => {
  const check = compileCheck(Type.Object({ language: Nullable(LanguageTag({ minLength: 2, maxLength: 5 })) }), ['body'])
  const read = (language: unknown) => {
    const body = { language }
    const faults = check(body)
    return faults === null ? body.language : faults.map(({ type }) => type)
  }
  assert.deepEqual(['EN', 'de-at', 'deu', null].map(read), ['en', 'de-AT', 'de', null])
  assert.deepEqual(read('e'), ['string_too_short'])
  assert.deepEqual(read('zh-Hans'), ['string_too_long'])
  assert.deepEqual(read('en_US'), ['language_parsing'])
  assert.deepEqual(read('sh'), ['language_parsing'], 'sr-Latn is longer than the contract allows')
  assert.deepEqual(read(5), ['string_type'])
})
