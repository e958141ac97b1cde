import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import { pageSlots } from '../../src/platform/threads/page-slots.ts'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { connect, use } from './assistant.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

onAnyDatabase('tools', (kind) => {
  let service: TestService
  let admin: Client
  let category: string

  before(async () => {
    service = await joinService(kind)
    category = await service.category('Geräte')
    admin = await connect(service, service.adminKey, { headers: { 'x-client-id': 'claude', 'x-audit-source': 'api' } })
    await service.call('POST', '/api/knowledge/sites', { body: { slug: 'shop', name: 'Shop' } })
    for (const [sku, title, price] of [
      ['L-1', 'Leselampe aus Messing', '49.90'],
      ['L-2', 'Stehlampe aus Messing', '129.00'],
      ['T-1', 'Gartentisch aus Teak', '399.00'],
    ]) {
      const body = { title, language: 'de', sku, external_id: sku, brand: 'Insel', price_current: price }
      const description = `${title}. ${'Ausführlich beschrieben. '.repeat(40)}`
      await service.call('POST', '/api/knowledge/products?site_id=shop', {
        body: { ...body, description, attributes: { farbe: 'gold' } },
      })
    }
  })
  after(async () => {
    await admin.close()
    await service.stop()
  })

  const create = async (fields: Record<string, unknown> = {}) =>
    (
      await use(admin, 'create_entry', {
        title: 'Kaffeemaschine entkalken',
        content: 'Einmal im Monat mit Zitronensäure.',
        category_id: category,
        ...fields,
      })
    ).data
  const audited = (id: string) =>
    service.database.queries.selectFrom('audit_log').selectAll().where('resource_id', '=', id).orderBy('id').execute()

  test('an entry is created, found, read, changed and deleted, and each write is audited as the assistant’s', async () => {
    const entry = await create({ tags: ['küche'], summary: 'Monatlich entkalken' })
    assert.equal(entry.version, 1)
    const search = await use(admin, 'search_knowledge', { query: 'Maschine entkalken', limit: 1 })
    assert.equal(search.data.hits[0].id, entry.id)
    assert.match(search.data.hits[0].excerpt, /Zitronensäure/)
    assert.ok(!('content' in search.data.hits[0]))
    const mistyped = { query: 'entkalekn', mode: 'keyword' }
    assert.deepEqual((await use(admin, 'search_knowledge', mistyped)).data.hits, [])
    const tolerant = await use(admin, 'search_knowledge', { ...mistyped, typo_tolerance: true })
    assert.equal(tolerant.data.hits[0].id, entry.id)
    const begun = await use(admin, 'search_knowledge', { query: 'entkal', mode: 'keyword', prefix: true })
    assert.equal(begun.data.hits[0].id, entry.id)
    assert.match(search.text, new RegExp(entry.id))

    const read = await use(admin, 'get_entry', { entry_id: entry.id.toUpperCase() })
    assert.equal(read.data.content, 'Einmal im Monat mit Zitronensäure.')
    assert.deepEqual(
      [read.data.tags, read.data.summary, read.data.next_offset],
      [['küche'], 'Monatlich entkalken', null],
    )
    assert.match(read.text, /^<data-\S+>\n# Kaffeemaschine entkalken\n/m)

    const changed = await use(admin, 'update_entry', { entry_id: entry.id, expected_version: 1, title: 'Entkalken' })
    assert.deepEqual([changed.data.version, changed.data.title], [2, 'Entkalken'])
    const late = await use(admin, 'update_entry', { entry_id: entry.id, expected_version: 1, title: 'Zu spät' })
    assert.ok(late.isError)
    assert.match(late.text, /expected_version: The entry has another version\. .*get_entry/)

    assert.equal((await use(admin, 'delete_entry', { entry_id: entry.id })).data.deleted, true)
    assert.equal((await service.call('GET', `${ENTRIES}/${entry.id}`)).status, 404)
    const written = await audited(entry.id)
    assert.deepEqual(
      written.map((row) => row.action),
      ['create', 'update', 'delete'],
    )
    for (const row of written) {
      assert.deepEqual([row.source, row.client_id, row.claimed_client_id], ['mcp', null, 'claude'])
    }
  })

  test('only its user can see a private note, over MCP too', async () => {
    const note = await use(admin, 'create_personal_note', {
      title: 'Geheim',
      content: 'Nur ich',
      category_id: category,
    })
    assert.equal(note.data.visibility, 'personal')
    const other = await service.user({ email: `other-${kind.name}@x` })
    const client = await connect(service, other.key)
    const read = await use(client, 'get_entry', { entry_id: note.data.id })
    assert.ok(read.isError)
    assert.match(read.text, /entry_id: Entry not found/)
    await client.close()
    const withoutUser = await connect(service, await service.key(['knowledge:personal']))
    const refused = await use(withoutUser, 'create_personal_note', { title: 'x', content: 'x', category_id: category })
    assert.match(refused.text, /A credential without a user has no personal entries\. Do not try again/)
    await withoutUser.close()
  })

  test('paging with list_entries has no gaps or duplicates, even when the budget shortens pages', async () => {
    const ids: string[] = []
    for (let i = 0; i < 12; i++) {
      ids.push((await create({ title: `Nummer ${i}`, content: 'Wort '.repeat(200), layer: 'walk' })).id)
    }
    const seen: string[] = []
    let cursor: string | null = null
    let cuts = 0
    do {
      const { data, text } = await use(admin, 'list_entries', {
        layer: 'walk',
        limit: 7,
        budget_characters: 2_000,
        ...(cursor === null ? {} : { cursor }),
      })
      assert.ok(text.length <= 2_000 && JSON.stringify(data).length <= 2_000)
      if (data.left_out !== null) cuts += 1
      seen.push(...data.entries.map((entry: { id: string }) => entry.id))
      cursor = data.next_cursor
    } while (cursor !== null)
    assert.deepEqual(seen, ids.toReversed())
    assert.ok(cuts > 0)
    const bad = await use(admin, 'list_entries', { cursor: 'nonsense' })
    assert.match(bad.text, /cursor: .*next_cursor of the last answer/)
    const filtered = await use(admin, 'list_entries', { layer: 'walk', tags: ['none'] })
    assert.deepEqual(filtered.data.entries, [])
  })

  test('a search keeps to its budget, and the next page continues there', async () => {
    const ids = new Set<string>()
    let offset: number | null = 0
    while (offset !== null && offset < 8) {
      const { data, text } = await use(admin, 'search_knowledge', {
        query: 'Wort',
        mode: 'keyword',
        layer: 'walk',
        limit: 6,
        offset,
        budget_characters: 2_000,
      })
      assert.ok(text.length <= 2_000 && JSON.stringify(data).length <= 2_000)
      assert.match(data.left_out, /did not fit: call again with offset \d+, or with a larger budget_characters/)
      for (const hit of data.hits) ids.add(hit.id)
      assert.ok(data.next_offset > offset)
      assert.equal(ids.size, data.next_offset)
      offset = data.next_offset
    }
    const wide = await use(admin, 'search_knowledge', {
      query: 'Wort',
      layer: 'walk',
      limit: 20,
      budget_characters: 100_000,
    })
    assert.equal(wide.data.hits.length, 12)
    assert.equal(wide.data.next_offset, null)
  })

  test('a search continues after hits with too much text for one answer', async () => {
    for (let n = 0; n < 10; n++) await create({ title: `Riese ${n}`, layer: 'giants' })
    // Stored directly, because the service accepts less text at once.
    const { queries } = service.database
    const metadata = `{"notes":"${'ä'.repeat(500_000)}"}`
    await queries.updateTable('entries').set({ metadata }).where('layer', '=', 'giants').execute()
    const request = { query: 'Riese', mode: 'keyword', layer: 'giants', limit: 20, budget_characters: 100_000 }
    const { data } = await use(admin, 'search_knowledge', request)
    assert.deepEqual([data.hits.length, data.next_offset, data.left_out], [8, 8, null])
    const rest = await use(admin, 'search_knowledge', { ...request, offset: 8 })
    assert.deepEqual([rest.data.hits.length, rest.data.next_offset], [2, null])
    await queries.updateTable('entries').set({ metadata: '{}' }).where('layer', '=', 'giants').execute()
  })

  test('a long content is read in parts that together are complete', async () => {
    const content = Array.from({ length: 700 }, (_, i) => `Absatz ${i} "mit" Zeichen 😀.\n\n`)
      .join('')
      .trimEnd()
    const { id } = await create({ title: 'Lang', content, metadata: { notes: 'n'.repeat(3_000) } })
    let whole = ''
    let offset: number | null = 0
    let parts = 0
    while (offset !== null) {
      const { data, text } = await use(admin, 'get_entry', { entry_id: id, offset, budget_characters: 4_000 })
      assert.ok(text.length <= 4_000 && JSON.stringify(data).length <= 4_000)
      if (offset === 0) assert.match(data.left_out, /metadata, search_keywords did not fit|metadata did not fit/)
      assert.equal(data.content_characters, content.length)
      whole += data.content
      offset = data.next_offset
      parts += 1
    }
    assert.equal(whole, content)
    assert.ok(parts > 4)
    const all = await use(admin, 'get_entry', { entry_id: id, budget_characters: 100_000 })
    assert.equal(all.data.content, content)
    assert.equal(all.data.metadata.notes.length, 3_000)

    // The passage of a hit gives the start.
    const last = await use(admin, 'search_knowledge', { query: 'Absatz 699', mode: 'hybrid', limit: 1 })
    const [hit] = last.data.hits
    assert.equal(hit.id, id)
    const there = await use(admin, 'get_entry', { entry_id: id, offset: hit.offset })
    assert.equal(there.data.content.trimStart().slice(0, 20), content.slice(hit.offset).trimStart().slice(0, 20))
  })

  test('categories are listed as a tree, in their order, and those below one', async () => {
    const make = async (name: string, parent_id: string | null, fields: Record<string, unknown> = {}) =>
      (await service.call('POST', '/api/knowledge/categories', { body: { name, parent_id, ...fields } })).body.id
    const kitchen = await make('Küche', category, { description: 'Alles zum Kochen', sort_order: 2 })
    const hall = await make('Flur', category, { sort_order: 1 })
    const stove = await make('Herd', kitchen)
    const garden = await make('Garten', null, { sort_order: 9 })
    const kitchenShown = {
      id: kitchen,
      name: 'Küche',
      description: 'Alles zum Kochen',
      children: [{ id: stove, name: 'Herd' }],
    }
    const all = await use(admin, 'list_categories')
    assert.deepEqual(all.data, {
      categories: [
        { id: category, name: 'Geräte', children: [{ id: hall, name: 'Flur' }, kitchenShown] },
        { id: garden, name: 'Garten' },
      ],
      total: 2,
      next_offset: null,
      left_out: null,
    })
    assert.equal(
      all.text.replace(/^.*\n/, '').replaceAll(/data-[\w-]+/g, 'data'),
      `Categories:\n<data>\n- Geräte (category_id: ${category})\n  - Flur (category_id: ${hall})\n` +
        `  - Küche (category_id: ${kitchen}): Alles zum Kochen\n    - Herd (category_id: ${stove})\n` +
        `- Garten (category_id: ${garden})\n</data>`,
    )
    const under = await use(admin, 'list_categories', { parent_id: category })
    assert.deepEqual(under.data.categories, [{ id: hall, name: 'Flur' }, kitchenShown])
    const rest = await use(admin, 'list_categories', { offset: 1 })
    assert.deepEqual(rest.data.categories, [{ id: garden, name: 'Garten' }])
  })

  test('a large tree of categories keeps to its budget, and what it leaves out can be asked for', async () => {
    const root = await service.category('Wurzel')
    const childrenOf = new Map<string, string[]>([[root, []]])
    for (const [parents, count] of [
      [[root], 12],
      [childrenOf.get(root)!, 5],
    ] as const) {
      for (const parent_id of parents) {
        const children = childrenOf.get(parent_id) ?? []
        childrenOf.set(parent_id, children)
        for (let i = 0; i < count; i++) {
          const body = { name: `Nummer ${i}`, parent_id, description: 'Wort '.repeat(30), sort_order: i }
          children.push((await service.call('POST', '/api/knowledge/categories', { body })).body.id)
        }
      }
    }
    interface Shown {
      readonly id: string
      readonly children?: readonly Shown[]
      readonly children_left_out?: number
    }
    const seen = new Map<string, string[]>()
    const ask = async (parent_id: string, offset = 0): Promise<void> => {
      const request = { parent_id, offset, budget_characters: 2_000 }
      const { data, text } = await use(admin, 'list_categories', request)
      assert.ok(text.length <= 2_000 && JSON.stringify(data).length <= 2_000)
      const take = async (parent: string, categories: readonly Shown[]): Promise<void> => {
        seen.set(parent, [...(seen.get(parent) ?? []), ...categories.map(({ id }) => id)])
        for (const { id, children, children_left_out: left } of categories) {
          if (children !== undefined) await take(id, children)
          if (left !== undefined) {
            assert.equal(left, childrenOf.get(id)!.length)
            assert.match(data.left_out, /call again with its id as parent_id/)
            await ask(id)
          }
        }
      }
      await take(parent_id, data.categories)
      if (data.next_offset !== null) await ask(parent_id, data.next_offset)
    }
    await ask(root)
    assert.deepEqual(seen, childrenOf)
    const whole = await use(admin, 'list_categories', { parent_id: root, budget_characters: 100_000 })
    assert.deepEqual(
      whole.data.categories.map(({ id, children }: Shown) => [id, children?.map((child) => child.id)]),
      childrenOf.get(root)!.map((id) => [id, childrenOf.get(id)]),
    )
  })

  test('what was found can be cited by its address and the path of its category', async () => {
    const below = { name: 'Bad', parent_id: category }
    const { id } = (await service.call('POST', '/api/knowledge/categories', { body: below })).body
    const url = 'https://example.com/bad'
    const entry = await create({ title: 'Fliesen verfugen', category_id: id, url })
    const { data, text } = await use(admin, 'search_knowledge', { query: 'Fliesen verfugen', limit: 1 })
    const [hit] = data.hits
    assert.deepEqual([hit.id, hit.category_path, hit.url], [entry.id, ['Geräte', 'Bad'], url])
    assert.match(text, /\n {3}url: https:\/\/example\.com\/bad, category: Geräte \/ Bad\n/)
    const read = await use(admin, 'get_entry', { entry_id: entry.id })
    assert.deepEqual([read.data.category_path, read.data.url], [['Geräte', 'Bad'], url])
    assert.match(read.text, /^url: https:\/\/example\.com\/bad$/m)
  })

  test('products are found by words, filters and identifiers, with exact prices, briefly or in full', async () => {
    const lamps = await use(admin, 'search_products', { query: 'Lampe aus Messing', price_max: 100, facets: true })
    assert.deepEqual(
      lamps.data.products.map((p: { sku: string }) => p.sku),
      ['L-1'],
    )
    assert.equal(lamps.data.products[0].price_current, '49.90')
    assert.ok(lamps.data.products[0].description.length <= 300)
    assert.equal(lamps.data.facets.brand[0].value, 'Insel')
    assert.match(lamps.text, /price_current: 49\.90.*currency: EUR/)
    const one = await use(admin, 'search_products', { sku: 't1', full: true })
    assert.deepEqual(one.data.products[0].attributes, { farbe: 'gold' })
    assert.ok(one.data.products[0].description.length > 900)
    const paged = await use(admin, 'search_products', { limit: 2 })
    assert.deepEqual([paged.data.products.length, paged.data.total, paged.data.next_offset], [2, 3, 2])
    const tight = await use(admin, 'search_products', { full: true, budget_characters: 2_000 })
    assert.ok(tight.text.length <= 2_000 && JSON.stringify(tight.data).length <= 2_000)
    assert.match(tight.data.left_out, /products did not fit/)

    const wordy = Object.fromEntries(
      ['sku', 'gtin', 'external_id', 'brand', 'category', 'product_url'].map((name) => [name, '"'.repeat(50)]),
    )
    const body = {
      ...wordy,
      category: '"'.repeat(900),
      product_url: 'u'.repeat(900),
      title: '"'.repeat(900),
      language: 'de',
    }
    await service.call('POST', '/api/knowledge/products?site_id=shop', { body })
    const worst = await use(admin, 'search_products', { sku: wordy.sku, full: true, budget_characters: 2_000 })
    assert.equal(worst.data.products.length, 1)
    assert.ok(worst.text.length <= 2_000 && JSON.stringify(worst.data).length <= 2_000)

    const similar = await use(admin, 'find_similar_products', { product_id: lamps.data.products[0].id, limit: 1 })
    assert.equal(similar.data.products[0].sku, 'L-2')
    const missing = await use(admin, 'find_similar_products', { product_id: UNKNOWN })
    assert.match(missing.text, /product_id: Product not found\. Use an id from search_products/)
    const site = await use(admin, 'search_products', { site_id: 'none' })
    assert.match(site.text, /site_id: Site does not exist/)
  })

  test('a refused call says which field, what is wrong and what to do, and changes nothing', async () => {
    const refused = async (name: string, input: Record<string, unknown>) => {
      const { isError, text, data } = await use(admin, name, input)
      assert.ok(isError, text)
      assert.equal(data, undefined)
      return text
    }
    const base = { title: 'x', content: 'x', category_id: category }
    assert.match(await refused('create_entry', { ...base, category_id: UNKNOWN }), /category_id: .*list_categories/)
    const personal = await refused('create_entry', { ...base, visibility: 'personal' })
    assert.match(personal, /visibility: personal cannot be given here\. Use create_personal_note/)
    assert.doesNotMatch(personal, /endpoint/)
    assert.match(await refused('create_entry', { ...base, type: 'skill' }), /metadata\.steps: Field required/)
    assert.match(await refused('create_entry', { ...base, type: 'poem' }), /type: Input should be 'knowledge', 'skill'/)
    assert.match(await refused('search_knowledge', { query: '' }), /query: String should have at least 1 character/)
    assert.match(
      await refused('search_knowledge', { query: 'x', budget_characters: 5 }),
      /greater than or equal to 2000/,
    )
    assert.match(await refused('get_entry', { entry_id: 'x' }), /entry_id: Input should be a valid UUID/)
    assert.match(await refused('get_entry', { entry_id: UNKNOWN }), /entry_id: Entry not found/)
    const { id } = await create()
    assert.match(await refused('update_entry', { entry_id: id, type: 'skill' }), /type: .*cannot be changed/)
    assert.match(await refused('delete_entry', { entry_id: id, expected_version: 7 }), /expected_version/)
    assert.equal((await audited(id)).length, 1)
  })

  test('lists of an assistant wait while the tenant has all its pages made', async () => {
    const listed: Record<string, () => Promise<unknown>> = {
      list_entries: () => use(admin, 'list_entries'),
      list_categories: () => use(admin, 'list_categories'),
      resources: () => admin.listResources(),
      prompts: () => admin.listPrompts(),
    }
    const answered: string[] = []
    const pages = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const holding = pages.map(({ promise }) => pageSlots.run(service.tenantId, () => promise))
    const lists = Object.entries(listed).map(async ([name, list]) => {
      await list()
      answered.push(name)
    })
    // Reading a resource makes no page, so it is answered meanwhile; lists that were asked for earlier would be by
    // then.
    for (let i = 0; i < 5; i++) await admin.readResource({ uri: `knowledge://entries/${(await create()).id}` })
    const early = [...answered]
    for (const { resolve } of pages) resolve()
    await Promise.all([...holding, ...lists])
    assert.deepEqual(early, [])
    assert.deepEqual(answered.toSorted(), Object.keys(listed).toSorted())
  })

  test('no assistant writes above the ceiling, and an update without the right to read reveals nothing', async () => {
    const { key } = await service.user({ email: `editor-${kind.name}@x`, role: 'editor' })
    const editor = await connect(service, key)
    const high = { title: 'x', content: 'x', category_id: category, visibility: 'restricted' }
    const refused = await use(editor, 'create_entry', high)
    assert.match(
      refused.text,
      /visibility: The level is above what the credential may see\. This needs visibility:restricted/,
    )
    await editor.close()
    const { id } = await create({ title: 'Bleibt ungesagt' })
    const writer = await connect(service, await service.key(['knowledge:write', 'visibility:internal']))
    const changed = await use(writer, 'update_entry', { entry_id: id, layer: 'neu' })
    assert.deepEqual(Object.keys(changed.data).toSorted(), ['id', 'uri', 'watermark'])
    assert.doesNotMatch(changed.text, /ungesagt/)
    await writer.close()
  })
})
