import assert from 'node:assert/strict'
import type { Client } from '../client.ts'
import { type Kind, markIn } from './kind.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const CATEGORIES = '/api/knowledge/categories'
const PRODUCTS = '/api/knowledge/products'

interface Stored {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly content: string
  readonly description: string
  readonly source_reference: string
  readonly external_id: string
}

function entryOf(client: Client, name: string, mark: number) {
  const said = { title: name, content: `What ${name} says, as it was written by ${mark}`, language: 'en' }
  return { ...said, category_id: client.category, source_reference: name }
}

/** Types of faults of a line whose batch the database did not acknowledge. */
const UNSTORED = new Set(['unavailable', 'storage_full'])

/** Returns the id of the stored item of a bulk's line; null for a line whose batch the database did not acknowledge. */
function storedId(line: Record<string, unknown>): string | null {
  const { status, id, detail } = line as { status: string; id: string; detail?: readonly { type: string }[] }
  if (status === 'failed' && UNSTORED.has(detail![0].type)) return null
  assert.ok(status === 'created' || status === 'updated', JSON.stringify(line))
  return id
}

const entries: Kind = {
  name: 'entry',
  audited: 'entry',
  isKept: true,
  create: async (client, name, mark) =>
    (await client.call('POST', ENTRIES, [201], { body: entryOf(client, name, mark) })).body.id,
  change: async (client, { id, name }, mark) => {
    const { content } = entryOf(client, name, mark)
    await client.call('PATCH', `${ENTRIES}/${id}`, [200], { body: { content } })
  },
  remove: async (client, { id }) => {
    await client.call('DELETE', `${ENTRIES}/${id}`, [204])
  },
  push: (client, lines, stored) =>
    client.lines(
      `${ENTRIES}/bulk`,
      lines.map(({ name, mark }) => entryOf(client, name, mark)),
      (line) => {
        const id = storedId(line)
        if (id !== null) stored(lines[(line.line as number) - 1].name, id)
      },
    ),
  removeAll: async (client, subjects) => {
    const body = { entry_ids: subjects.map(({ id }) => id) }
    const answer = await client.call('POST', `${ENTRIES}/bulk-delete`, [200], { body })
    assert.equal(answer.body.deleted, subjects.length)
  },
  list: async (client) => {
    const rows = await client.all<Stored>(`${ENTRIES}?limit=200`)
    return rows.map(({ id, title, content }) => ({ id, name: title, mark: markIn(content) }))
  },
}

const categories: Kind = {
  name: 'category',
  audited: 'category',
  isKept: true,
  create: async (client, name, mark) =>
    (await client.call('POST', CATEGORIES, [201], { body: { name, description: `Mark ${mark}` } })).body.id,
  change: async (client, { id }, mark) => {
    await client.call('PUT', `${CATEGORIES}/${id}`, [200], { body: { description: `Mark ${mark}` } })
  },
  remove: async (client, { id }) => {
    await client.call('DELETE', `${CATEGORIES}/${id}`, [204])
  },
  list: async (client) => {
    const rows = await client.all<Stored>(CATEGORIES)
    const written = rows.filter(({ id }) => id !== client.category)
    return written.map(({ id, name, description }) => ({ id, name, mark: markIn(description) }))
  },
}

const productOf = (name: string, mark: number) => ({
  external_id: name,
  title: `Product ${name}`,
  description: `Mark ${mark}`,
  price_current: `${mark}.90`,
  language: 'en',
  sync_hash: String(mark),
})

const products: Kind = {
  name: 'product',
  audited: 'product',
  isKept: true,
  create: async (client, name, mark) => {
    const answer = await client.call('POST', `${PRODUCTS}?site_id=default`, [201], { body: productOf(name, mark) })
    return answer.body.id
  },
  change: async (client, { name }, mark) => {
    await client.call('POST', `${PRODUCTS}?site_id=default`, [200], { body: productOf(name, mark) })
  },
  remove: async (client, { id }) => {
    await client.call('DELETE', `${PRODUCTS}/${id}`, [204])
  },
  push: (client, lines, stored) =>
    client.lines(
      `${PRODUCTS}/bulk?site_id=default&sync=delta`,
      lines.map(({ name, mark }) => productOf(name, mark)),
      (line) => {
        if (line.status === 'finished') return
        const id = storedId(line)
        if (id !== null) stored(line.external_id as string, id)
      },
    ),
  list: async (client) => {
    const rows = await client.all<Stored>(`${PRODUCTS}?limit=200`)
    return rows.map(({ id, external_id: name, description }) => ({ id, name, mark: markIn(description) }))
  },
}

/** Kinds that search finds. */
export const DOCUMENTS: readonly Kind[] = [entries, categories, products]
