import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { FrontMatterError, splitFrontMatter } from './front-matter.ts'

test('front matter and content come back as they were written', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.oneof(fc.string(), fc.integer(), fc.array(fc.string()))),
      fc.string(),
      fc.constantFrom('\n', '\r\n'),
      (fields, content, newline) => {
        const yaml = Object.keys(fields).length === 0 ? '' : stringify(fields, { lineWidth: 0 })
        // Line breaks within the YAML are data, so only those after the dashes vary.
        const text = `---${newline}${yaml}---${newline}${content}`
        const split = splitFrontMatter(text)
        assert.deepEqual([{ ...split.fields }, split.content], [{ ...fields }, content])
      },
    ),
  )
})

test('a text without front matter is all content', () => {
  for (const text of [
    '',
    'text',
    '# Title\n\n---\nmore',
    '---\nnever closed',
    '---\njust text\n---\nmore',
    '---\n- a\n---\n',
  ]) {
    assert.deepEqual(splitFrontMatter(text), { fields: {}, content: text })
  }
})

test('the error about invalid YAML names its line', () => {
  assert.throws(
    () => splitFrontMatter('---\ntitle: a\ntitle: b\n---\n'),
    (error: unknown) => {
      assert.ok(error instanceof FrontMatterError)
      assert.match(error.message, /line 3/)
      return true
    },
  )
  assert.throws(() => splitFrontMatter('---\na: &a [x, x]\nb: &b [*a, *a]\nc: [*none]\n---\n'), FrontMatterError)
  assert.throws(() => splitFrontMatter('+++\ntitle = "x"\n+++\ntext'), /TOML/)
})
