/** Makes the collection of real text: distinct passages of documentation, with vectors of the built-in model. */
import { sharedStaticModel } from '../../src/embedding/builtin/static-model.ts'
import { PASSAGE_SIZES, splitPassages } from '../../src/embedding/passages.ts'
import { hashText, randomSource } from '../support/random.ts'
import type { Collection, Entry } from './collection.ts'
import { debianDocuments, type Document } from './debian-texts.ts'
import { phrasesOf } from './phrases.ts'

/** Characters that a passage has at least; until then it goes on with the next paragraph. */
const CHARACTERS_MIN = PASSAGE_SIZES.min
const CHARACTERS_MAX = 1_100
const PARAGRAPH_MIN = 60
const LETTERS_MIN = 0.7
const WORDS_MIN = 8

/**
 * Reads distinct passages in random order: no paragraph occurs in two of them.
 * @param count most passages to read
 */
export function readPassages(count: number): Entry[] {
  const passages: Entry[] = []
  const seen = new Set<number>()
  for (const document of debianDocuments()) {
    passages.push(...passagesOf(document, seen))
    if (passages.length >= count) break
  }
  return shuffled(passages)
}

/**
 * Makes a collection of passages.
 * @param passages at least as many as entries and queries together
 */
export function passageCollection(passages: readonly Entry[], size: number, queryCount: number): Collection {
  const entries = passages.slice(0, size)
  const model = sharedStaticModel()
  return {
    name: 'passages',
    dimensions: model.dimensions,
    entries,
    vectorOf: (entry) => model.embedTitled(splitPassages(entries[entry].title, entries[entry].content)[0].text),
    queries: phrasesOf(passages.slice(size), queryCount).map(({ words }) => words),
    phrases: phrasesOf(entries, queryCount),
    queryVector: (words) => model.embed(words),
    vectorFile: null,
  }
}

function passagesOf({ title, language, text }: Document, seen: Set<number>): Entry[] {
  const contents: string[] = []
  let content = ''
  const close = (): void => {
    if (content.length >= CHARACTERS_MIN) contents.push(content)
    content = ''
  }
  for (const each of text.split(/\n\s*\n/)) {
    const paragraph = each
      .replaceAll(/\s+/g, ' ')
      .trim()
      .replace(/^[#>*`~|-]+ */, '')
    if (!isProse(paragraph) || seen.size === seen.add(hashText(paragraph)).size) continue
    for (const piece of piecesOf(paragraph)) {
      if (content.length + piece.length > CHARACTERS_MAX) close()
      content += content === '' ? piece : `\n\n${piece}`
      if (content.length >= CHARACTERS_MIN) close()
    }
  }
  close()
  return contents
    .filter((each) => splitPassages(title, each).length === 1)
    .map((each) => ({ title, language, content: each }))
}

function isProse(paragraph: string): boolean {
  if (paragraph.length < PARAGRAPH_MIN) return false
  const letters = paragraph.match(/\p{L}/gu)?.length ?? 0
  return letters / paragraph.length >= LETTERS_MIN && paragraph.split(' ').length >= WORDS_MIN
}

/** Returns a long paragraph in pieces that end between words. */
function piecesOf(paragraph: string): string[] {
  const pieces: string[] = []
  let rest = paragraph
  while (rest.length > CHARACTERS_MAX) {
    const space = rest.lastIndexOf(' ', CHARACTERS_MAX)
    const at = space < CHARACTERS_MIN ? CHARACTERS_MAX : space
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at).trimStart()
  }
  return [...pieces, rest]
}

function shuffled<T>(values: T[]): T[] {
  const random = randomSource(13)
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[values[i], values[j]] = [values[j], values[i]]
  }
  return values
}
