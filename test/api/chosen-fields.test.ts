import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Schema } from '../../src/platform/contract/check-faults.ts'
import type { OpenApiDocument, OpenApiOperation } from '../../src/platform/reference/openapi.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { DeclaredAnswers } from '../support/declared-answers.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PRODUCTS = '/api/knowledge/products'
const COMBINED = '/api/knowledge/search'

/** Returns the request of one search, with these fields as its `fields`. */
type Ask = (fields: { readonly entry?: readonly string[]; readonly product?: readonly string[] }) => object

onAnyDatabase('hits with chosen fields', (kind) => {
  let service: TestService
  let document: OpenApiDocument
  let declared: DeclaredAnswers
  let preview: string
  before(async () => {
    service = await joinService(kind)
    document = (await service.call('GET', '/openapi.json')).body
    declared = new DeclaredAnswers(document)
    const entry = { title: 'Lamp care', content: 'Dust the lamp.', category_id: await service.category() }
    assert.equal((await service.call('POST', ENTRIES, { body: { ...entry, visibility: 'public' } })).status, 201)
    const product = { title: 'Lamp', language: 'en', external_id: 'lamp', gtins: ['4006381333931'] }
    assert.equal((await service.call('POST', `${PRODUCTS}?site_id=default`, { body: product })).status, 201)
    const [site] = (await service.call('GET', '/api/knowledge/sites')).body
    preview = `/api/knowledge/sites/${site.id}/merchandising/preview`
  })
  after(() => service.stop())

  const lamp = { query: 'lamp', mode: 'keyword' }
  const searches = (): Record<string, Ask> => {
    const combined: Ask = ({ entry, product }) => ({
      ...lamp,
      knowledge: { fields: entry },
      products: { fields: product },
    })
    return {
      [`${ENTRIES}/search`]: ({ entry: fields }) => ({ ...lamp, fields }),
      [`${PRODUCTS}/search`]: ({ product: fields }) => ({ ...lamp, fields }),
      [`${PRODUCTS}/browse`]: ({ product: fields }) => ({ ...lamp, fields }),
      [preview]: ({ product: fields }) => ({ ...lamp, rules: [], fields }),
      [COMBINED]: combined,
      '/api/knowledge/multi-search': (fields) => ({ searches: [combined(fields)] }),
    }
  }
  const operationAt = (path: string): OpenApiOperation =>
    document.paths[path === preview ? '/api/knowledge/sites/{site_id}/merchandising/preview' : path].post
  const namesOf = (contract: string) => {
    const schema = document.components.schemas[contract] as { readonly properties: Record<string, Schema> }
    const { items } = schema.properties.fields as { readonly items: { readonly enum: readonly string[] } }
    return items.enum
  }
  const answerTo = async (path: string, body: object) => {
    const answer = await service.call('POST', path, { body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    declared.judge(operationAt(path), answer, `${path} of ${JSON.stringify(body)}`)
    return answer.body
  }
  /** Returns the products and entries of all hits in an answer. */
  const shownIn = (value: unknown): { readonly product?: object; readonly entry?: object }[] => {
    if (typeof value !== 'object' || value === null) return []
    if ('similarity' in value) return [value as { product?: object; entry?: object }]
    return Object.values(value).flatMap((each) => shownIn(each))
  }

  test('every search that takes `fields` is tried here', () => {
    const takes = Object.entries(document.paths).filter(([, { post }]) => {
      const requestBody = JSON.stringify(post?.requestBody ?? {})
      const named = [...requestBody.matchAll(/schemas\/(\w+)/g)].map(([, name]) => name)
      return named.some((name) => takesFields(document, name))
    })
    const paths = Object.keys(searches()).map((path) => path.replace(/\/[0-9a-f-]{36}\//, '/{site_id}/'))
    assert.deepEqual(takes.map(([path]) => path).sort(), paths.sort())
  })

  test('a hit has the chosen fields alone, as the document declares it, wherever fields can be chosen', async () => {
    const choices = [
      { entry: ['id'], product: ['id'] },
      { entry: ['title'], product: ['title'] },
      // An entry without an address has no `url`.
      { entry: namesOf('EntrySearch').filter((name) => name !== 'url'), product: namesOf('ProductSearch') },
    ]
    for (const [path, ask] of Object.entries(searches())) {
      for (const choice of choices) {
        const hits = shownIn(await answerTo(path, ask(choice)))
        assert.ok(hits.length > 0, path)
        for (const { entry, product } of hits) {
          assert.deepEqual(
            Object.keys((entry ?? product)!).sort(),
            (entry === undefined ? choice.product : choice.entry).toSorted(),
            path,
          )
        }
      }
    }
  })

  test('without a choice a hit has everything that is sure to be there', async () => {
    for (const [path, ask] of Object.entries(searches())) {
      for (const { entry, product } of shownIn(await answerTo(path, ask({})))) {
        const name = entry === undefined ? 'Product' : 'Entry'
        const lacking = (document.components.schemas[name].required as string[]).filter(
          (field) => !(field in (entry ?? product)!),
        )
        assert.deepEqual(lacking, [], path)
      }
    }
  })

  test('the path of the category comes beside the chosen fields of an entry, as the document declares it', async () => {
    const body = { ...lamp, fields: ['title'], include_category_path: true }
    const [{ entry }] = await answerTo(`${ENTRIES}/search`, body)
    assert.deepEqual(Object.keys(entry).sort(), ['category_id', 'category_path', 'title'])
  })

  test('related entries and similar products are whole, and their document says so', async () => {
    const { schemas } = document.components
    for (const [name, field] of [
      ['RelatedEntry', 'entry'],
      ['SimilarProduct', 'product'],
    ]) {
      const { properties } = schemas[name] as { readonly properties: Record<string, Schema> }
      assert.match(String(properties[field].$ref), /\/(Entry|Product)$/)
    }
  })
})

/** Tells whether a contract, or one inside it, lets the caller choose fields. */
function takesFields(document: OpenApiDocument, name: string): boolean {
  const text = JSON.stringify(document.components.schemas[name])
  if (text.includes('"fields":{"type":"array"')) return true
  return [...text.matchAll(/schemas\/(\w+)/g)].some(([, inner]) => inner !== name && takesFields(document, inner))
}
