import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { NOTHING_FITS, readGrades, readJudgedQueries, readNonsense } from '../../bench/judged-data.ts'
import { mixPages, type Page, PAGES_FILE, readPages } from '../../bench/pages-data.ts'
import { readShops, SHOP_FILES } from '../../bench/products-quality-data.ts'
import { COLLECTIONS_FOLDER, readCollections } from '../../bench/quality-data.ts'
import { isFirstRight } from '../../bench/quality-metrics.ts'

const SITES = ['electronics', 'groceries']
const PRODUCT_QUERIES = SITES.flatMap(readJudgedQueries)
const PRODUCT_GRADES = new Map(SITES.flatMap((site) => [...readGrades(site)]))

describe('judged queries', () => {
  it('are 100 over the catalogues, each with an id and a text of its own', () => {
    assert.equal(PRODUCT_QUERIES.length, 100)
    assert.equal(new Set(PRODUCT_QUERIES.map(({ id }) => id)).size, 100)
    assert.equal(new Set(PRODUCT_QUERIES.map(({ text }) => text)).size, 100)
  })

  it('are `tune` and `held` by turns, kind by kind, so that no result decides where a query belongs', () => {
    const kinds = [...new Set(PRODUCT_QUERIES.map(({ kind }) => kind))]
    const ordered = kinds.flatMap((kind) => PRODUCT_QUERIES.filter((query) => query.kind === kind))
    assertTurns(ordered)
    assertTurns(readJudgedQueries('kubernetes'))
    assertTurns(readNonsense())
  })

  it('have a product that fits, or one that comes near, unless nothing does', () => {
    for (const { id, kind } of PRODUCT_QUERIES) {
      const best = Math.max(0, ...(PRODUCT_GRADES.get(id)?.values() ?? []))
      assert.equal(best >= 2, kind !== NOTHING_FITS, `${id} has ${best} at best`)
    }
    assert.ok(PRODUCT_QUERIES.filter(({ kind }) => kind === NOTHING_FITS).length >= 8)
  })

  it('are all that is judged, in grades from 0 to 3', () => {
    const queries = new Set(PRODUCT_QUERIES.map(({ id }) => id))
    for (const [query, grades] of PRODUCT_GRADES) {
      assert.ok(queries.has(query), query)
      for (const grade of grades.values()) assert.ok([0, 1, 2, 3].includes(grade), `${query} has a grade ${grade}`)
    }
    assert.deepEqual([...readGrades('kubernetes').keys()], idsOf(readJudgedQueries('kubernetes')))
  })

  it('come with 100 queries of nonsense in the style of each language', () => {
    const nonsense = readNonsense()
    for (const style of ['German', 'English']) {
      assert.equal(nonsense.filter((query) => query.style === style).length, 100)
    }
    assert.equal(new Set(nonsense.map(({ text }) => text)).size, 200)
  })
})

describe('the first hit', () => {
  it('is right when it answers the query, and not when it comes near or was not judged', () => {
    const grades = new Map([
      ['meant', 3],
      ['fits', 2],
      ['near', 1],
    ])
    const isRight = (...ranked: string[]) => isFirstRight(grades, ranked)
    assert.deepEqual([isRight('meant'), isRight('fits', 'near')], [true, true])
    assert.deepEqual([isRight('near', 'meant'), isRight('other', 'meant'), isRight()], [false, false, false])
  })

  it('is wrong where nothing fits, whatever it is', () => {
    assert.equal(isFirstRight(new Map(), []), true)
    assert.equal(isFirstRight(new Map([['judged', 0]]), ['judged']), false)
  })
})

describe('pages in one language', () => {
  const page = (path: string, language: 'de' | 'en', title: string): Page => {
    return { id: `${language}/${path}`, path, language, title, text: '' }
  }
  const pairs = Array.from({ length: 40 }, (_, i) => [
    page(`${i}.md`, 'de', `Seite ${i}`),
    page(`${i}.md`, 'en', `Page ${i}`),
  ])
  const [first, second] = mixPages([...pairs.flat(), page('alone.md', 'en', 'Alone')])

  it('are chosen by their path, and the second collection has what the first lacks', () => {
    const ids = [first, second].flatMap(({ pages }) => idsOf(pages))
    assert.deepEqual(ids.sort(), idsOf(pairs.flat()).sort())
    const germans = first.pages.filter(({ language }) => language === 'de').length
    assert.ok(germans > 5 && germans < 35, `${germans} of 40 are German`)
    const [reversed] = mixPages(pairs.flat().reverse())
    assert.deepEqual(idsOf(reversed.pages).sort(), idsOf(first.pages).sort())
  })

  it('are asked for with the title of the language that is missing', () => {
    for (const { language, text, page: id } of first.questions) {
      assert.ok(id.startsWith(language === 'de' ? 'en/' : 'de/'))
      assert.ok(text.startsWith(language === 'de' ? 'Seite' : 'Page'))
    }
    assert.equal(first.questions.length, 40)
  })

  it('are not asked for with a title that both languages share', () => {
    const [{ pages, questions }] = mixPages([page('pod.md', 'de', 'Pod'), page('pod.md', 'en', 'Pods')])
    assert.deepEqual([pages.length, questions.length], [1, 0])
  })
})

const FILES = [...SHOP_FILES, PAGES_FILE, 'cranfield/docs.jsonl', 'xquad-de/docs.jsonl']
const FOLDER = COLLECTIONS_FOLDER ?? ''
const missing = FILES.find((file) => FOLDER === '' || !existsSync(join(FOLDER, file)))
const skip = missing !== undefined && `${missing} is not in the folder of collections that COLLECTIONS names`

describe('judged queries and their collections', { skip }, () => {
  it('name products and pages that exist', () => {
    for (const { site, products, judgments } of readShops(FOLDER)) {
      assertKnown(judgments, new Set(products.map((product) => String(product.external_id))), site)
    }
    assertKnown(readGrades('kubernetes'), new Set(idsOf(readPages(FOLDER))), 'pages')
  })

  it('have no word of nonsense in any text, with or without accents', () => {
    const texts = [
      ...readShops(FOLDER).flatMap(({ products }) => products.map((product) => JSON.stringify(product))),
      ...readPages(FOLDER).flatMap(({ title, text }) => [title, text]),
      ...readCollections(FOLDER).flatMap(({ documents }) => documents.flatMap(({ title, text }) => [title, text])),
    ]
    const words = new Set(texts.flatMap((text) => wordsOf(text.replaceAll(/\\[nt]/g, ' '))))
    const withWords = readNonsense().filter(({ text }) => wordsOf(text).some((word) => words.has(word)))
    assert.deepEqual(withWords, [])
  })
})

const idsOf = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id)

function assertTurns(queries: readonly { readonly id: string; readonly split: string }[]): void {
  const wrong = queries.filter(({ split }, i) => split !== (i % 2 === 0 ? 'tune' : 'held'))
  assert.deepEqual(idsOf(wrong), [])
}

function assertKnown(
  judged: ReadonlyMap<string, ReadonlyMap<string, number>>,
  ids: ReadonlySet<string>,
  place: string,
): void {
  const unknown = [...judged.values()].flatMap((grades) => [...grades.keys()]).filter((id) => !ids.has(id))
  assert.deepEqual(unknown, [], place)
}

/** Returns the words of a text in lower case, both as they are and without accents. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.flatMap((word) => [word, word.normalize('NFD').replaceAll(/\p{M}/gu, '')])
}
