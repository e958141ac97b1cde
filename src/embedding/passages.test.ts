import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../test/support/any-character.ts'
import { unlessItHangs } from '../../test/support/patience.ts'
import { PASSAGE_SIZES, splitPassages } from './passages.ts'

const SMALL = { max: 120, min: 40, overlap: 20 }
const sentence = 'The quick brown fox jumps over the lazy dog. '

function bodies(title: string, content: string, sizes = SMALL): string[] {
  return splitPassages(title, content, sizes).map(({ start, end }) => content.slice(start, end))
}

const line = fc.oneof(
  fc.lorem({ maxCount: 30 }),
  fc.constantFrom(
    '',
    '',
    ' ',
    '# One',
    '## Two ##',
    'Three',
    '===',
    '---',
    '```',
    '```js',
    '~~~',
    '- item',
    '| a | b |',
  ),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: anyCharacter, maxLength: 50 }),
  fc.nat(400).map((length) => 'x'.repeat(length)),
  fc.nat(300).map((length) => '🙂'.repeat(length)),
  fc.nat(300).map((length) => ' '.repeat(length)),
)
const markdown = fc
  .tuple(fc.array(line, { maxLength: 60, size: 'max' }), fc.constantFrom('\n', '\n\n', '\r\n'))
  .map(([lines, newline]) => lines.join(newline))

for (const sizes of [SMALL, PASSAGE_SIZES]) {
  test(`every character that is not white space lies in a passage of at most ${sizes.max}`, () => {
    fc.assert(
      fc.property(markdown, (content) => {
        const passages = splitPassages('Title', content, sizes)
        let covered = 0
        for (const { start, end, text } of passages) {
          assert.equal(content.slice(covered, start).trim(), '', 'nothing is left out')
          assert.ok(end - start <= sizes.max, 'no passage is too long')
          assert.ok(text.endsWith(content.slice(start, end)), 'the text is the slice')
          assert.ok(end > covered || content.trim() === '', 'every passage adds something')
          covered = end
        }
        assert.equal(content.slice(covered).trim(), '')
        assert.ok(passages.length <= 1 + content.length / (sizes.min / 2), `${passages.length} passages`)
      }),
      { numRuns: 500 },
    )
  })
}

test('no passage begins or ends inside a surrogate pair', () => {
  const content = fc
    .array(fc.constantFrom('🙂', 'a', '🙂🙂🙂🙂🙂', 'word ', '. '), { maxLength: 300 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(content, (content) => {
      for (const { text } of splitPassages('', content, SMALL)) assert.ok(text.isWellFormed())
    }),
  )
})

test('content without characters gives one passage from the title', () => {
  for (const content of ['', '   \n\t\r\n\u00a0']) {
    assert.deepEqual(splitPassages('Returns', content), [{ start: 0, end: 0, text: 'Returns' }])
  }
})

test('short content is one passage with the title in front', () => {
  assert.deepEqual(splitPassages('Returns', ' Within 30 days.\n'), [
    { start: 1, end: 16, text: 'Returns\n\nWithin 30 days.' },
  ])
  assert.deepEqual(splitPassages('', 'Within 30 days.'), [{ start: 0, end: 15, text: 'Within 30 days.' }])
})

test('a heading starts a passage if the one before is long enough', () => {
  const content = `# Alpha\n${sentence}\n## Beta\nshort\n## Gamma\n${sentence}\n\nDelta\n=====\n${sentence}`
  const texts = splitPassages('Title', content, SMALL).map(({ text }) => text)
  assert.deepEqual(texts, [
    `Title\n\n# Alpha\n${sentence.trim()}`,
    `Title > Alpha\n\n## Beta\nshort\n## Gamma\n${sentence.trim()}`,
    `Title\n\nDelta\n=====\n${sentence.trim()}`,
  ])
})

test('a passage inside a section starts with the headings above it, and the title only once', () => {
  const content = `# Title\n\n## Section\n\n### Part\n\n${sentence.repeat(8)}`
  const passages = splitPassages('Title', content, SMALL)
  assert.ok(passages.length > 2)
  for (const { text } of passages.slice(1)) assert.ok(text.startsWith('Title > Section > Part\n\n'), text)
})

test('a long section is cut at paragraphs before sentences, and sentences before words', () => {
  const paragraph = sentence.repeat(2).trim()
  assert.deepEqual(bodies('', `${paragraph}\n\n${paragraph}\n\n${paragraph}`, { ...SMALL, overlap: 0 }), [
    paragraph,
    paragraph,
    paragraph,
  ])
  assert.ok(bodies('', sentence.repeat(9)).every((body) => body.endsWith('dog.')))
  const words = 'word '.repeat(100)
  assert.ok(bodies('', words).every((body) => body.startsWith('word') && body.endsWith('word')))
})

test('passages of one section overlap by whole words', () => {
  const content = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ')
  const passages = splitPassages('', content, SMALL)
  for (const [index, { start }] of passages.slice(1).entries()) {
    const overlap = passages[index].end - start
    assert.ok(overlap > 0 && overlap <= SMALL.overlap, `overlap ${overlap}`)
    assert.equal(content[start - 1], ' ')
  }
})

test('a fenced code block that fits stays whole and keeps its headings out of the outline', () => {
  const code = '```sh\n# not a heading\nrun --fast\n\nrun --slow --with much output\n```'
  const content = `${sentence.repeat(2)}\n\n${code}\n\n${sentence.repeat(2)}`
  const passages = bodies('', content)
  assert.ok(passages.some((body) => body.includes(code)))
  assert.ok(splitPassages('T', content, SMALL).every(({ text }) => !text.startsWith('T > not')))
})

test('a code block stays whole directly after a longer one, and no passage lies in the one before it', () => {
  const code = `~~~\n${'run --fast\n'.repeat(9)}~~~\n`
  for (let lines = 10; lines < 40; lines++) {
    const passages = splitPassages('', `~~~\n${'word\n'.repeat(lines)}~~~\n${code}${sentence.repeat(4)}`, SMALL)
    const ends = passages.map(({ end }) => end)
    assert.deepEqual(ends, [...new Set(ends)], `${lines} lines before it`)
    assert.ok(passages.some(({ text }) => text.includes(code.trim())))
  }
})

test('a million characters of anything are split in linear time', () => {
  const times = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length))
  for (const pattern of ['x', ' x', '# \n', '```\n', '.', '. ', '- \n', '-\n', 'a\n---\n', '🙂', `${sentence}\n\n`]) {
    const passages = unlessItHangs(() => splitPassages('Title', times(pattern)))
    assert.ok(passages.length < 5_000, `${passages.length} passages of ${pattern}`)
  }
})

test('a title with a vector of its own has the place of the first passage, and none where it is all there is', () => {
  const sizes = { ...PASSAGE_SIZES, hasOwnTitle: true }
  const passages = splitPassages('Water', `Drink.\n\n${'Much. '.repeat(300)}`, sizes)
  assert.equal(passages.length, splitPassages('Water', `Drink.\n\n${'Much. '.repeat(300)}`).length + 1)
  assert.deepEqual(passages.at(-1), { ...passages[0], text: 'Water' })
  assert.deepEqual(splitPassages('Water', ' ', sizes), [{ start: 0, end: 0, text: 'Water' }])
})
