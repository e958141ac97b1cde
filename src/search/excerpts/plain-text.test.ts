import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isInFence, plainText } from './plain-text.ts'

test('the marks of Markdown and HTML are gone, and what they mark stays', () => {
  const cases: [string, string][] = [
    ['# A heading ##\n\nSome *plain* and **bold** and ~~gone~~ text.', 'A heading Some plain and bold and gone text.'],
    ['- [ ] one\n- two\n  * three', 'one two three'],
    ['> quoted\n> > twice', 'quoted twice'],
    ['See [the guide](https://a.example/b "c") and ![a picture](x.png).', 'See the guide and a picture.'],
    ['See [the guide][1].[^2]\n\n[1]: https://a.example', 'See the guide.'],
    ['| a | b |\n|---|:-:|\n| 1 | 2 |', 'a b 1 2'],
    ['<p>Akku &amp; <b>Ladegerät</b><br/>neu</p>', 'Akku & Ladegerät neu'],
    ['call `a_b*c` or `__init__`', 'call a_b*c or __init__'],
    ['```yaml\n# a comment\nkey: *x*\n```\nafter', '# a comment key: *x* after'],
    ['see [`nodeName`](/docs/x) or [the `a_b[0]` field][1]', 'see nodeName or the a_b[0] field'],
    ['**`kubectl`** *is* `<b>` and `1`2', 'kubectl is <b> and 12'],
    [
      '1. Drain:\n\n    ```shell\n    kubectl drain <node> -f\n    ```\n\nDone',
      '1. Drain: kubectl drain <node> -f Done',
    ],
    ['- ~~~\n  <a> *b*\n  ~~~\n> ```\n> <c>\n> ```', '<a> *b* > <c>'],
    ['2 * 3 = 6 and snake_case and a \\* star', '2 * 3 = 6 and snake_case and a * star'],
    ['<https://a.example/x> costs < 5 > 3', 'https://a.example/x costs < 5 > 3'],
    ['Title\n=====\n\n---\n\ntext', 'Title text'],
  ]
  for (const [markdown, plain] of cases) assert.equal(plainText(markdown), plain)
})

test('a text that begins inside a code block keeps its code as it is', () => {
  const text = 'a\n```\n# one\n# two\n```\n# three'
  const at = text.indexOf('# two')
  assert.equal(isInFence(text, at), true)
  assert.equal(plainText(text.slice(at), true), '# two three')
  assert.equal(isInFence(text, text.indexOf('# three')), false)
  const nested = '1. Drain:\n\n   1. so:\n\n      ```shell\n      drain <node>'
  assert.equal(isInFence(nested, nested.indexOf('drain <')), true)
})

test('words are never lost, whatever stands around them', () => {
  const marks = fc.constantFrom('#', '*', '**', '_', '[', ']', '(', ')', '`', '>', '|', '~~', '\n', ' ', '- ', '\\')
  const word = fc.constantFrom('lamp', 'Käse', '4711')
  fc.assert(
    fc.property(fc.array(fc.tuple(marks, word)), (parts) => {
      const plain = plainText(parts.map(([mark, each]) => `${mark} ${each} `).join(''))
      const lost = parts.filter(([, each]) => !plain.includes(each))
      assert.deepEqual(lost, [], plain)
    }),
  )
})
