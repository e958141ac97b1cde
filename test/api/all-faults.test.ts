import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { EntryCreate } from '../../src/knowledge/entries/contract.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { type Answer, type Call, type TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { inTier } from '../support/tier.ts'
import { connect, use } from '../mcp/assistant.ts'

const API = '/api/knowledge'
const ENTRIES = `${API}/knowledge-entries`
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

interface Detail {
  readonly loc: readonly string[]
  readonly type: string
}

/** Returns each fault as its place and type, such as `body.title string_type`. */
const told = (detail: readonly Detail[]) => detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)

/** Returns the status, and then every fault. */
const refusal = ({ status, body }: Answer) => [status, ...told(body.detail)]

onAnyDatabase('one refusal reports every fault', (kind) => {
  let service: TestService
  let category: string
  let foreignCategory: string
  let foreignWorkspace: string

  before(async () => {
    service = await joinService(kind)
    category = await service.category()
    const other = await service.tenant('other')
    const { key } = await service.user({ tenant: other, email: 'o@other.example' })
    foreignCategory = await service.category('Theirs', key)
    const answer = await service.call('POST', `${API}/workspaces`, { key, body: { name: 'Theirs' } })
    foreignWorkspace = answer.body.id
  })
  after(() => service.stop())

  const call = (method: string, path: string, body: unknown, more: Call = {}) =>
    service.call(method, path, { body, ...more })
  const entry = (fields: object = {}) => ({ title: 'A title', content: 'Content', category_id: category, ...fields })
  const create = async (fields: object = {}): Promise<string> => (await call('POST', ENTRIES, entry(fields))).body.id
  const lines = async (path: string, ...values: unknown[]) => {
    const body = values.map((value) => JSON.stringify(value)).join('\n')
    const answer = await call('POST', path, body, { headers: { 'content-type': 'application/x-ndjson' } })
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    const results = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    return results.map(({ status, detail }) => (detail === undefined ? status : told(detail)))
  }

  describe('of a new entry', () => {
    test('faults of shape, metadata, level and references come together, in the order of the contract', async () => {
      const body = {
        content: 7,
        category_id: UNKNOWN,
        type: 'skill',
        visibility: 'personal',
        tags: ['', 'fine'],
        metadata: { steps: [], difficulty: 'very' },
        workspace_id: UNKNOWN,
        source: 'nowhere',
      }
      assert.deepEqual(refusal(await call('POST', ENTRIES, body)), [
        422,
        'body.title missing',
        'body.content string_type',
        'body.category_id reference_not_found',
        'body.visibility value_error',
        'body.tags.0 string_too_short',
        'body.metadata.steps too_short',
        'body.metadata.difficulty enum',
        'body.workspace_id reference_not_found',
        'body.source enum',
      ])
    })

    test('a fault in the metadata does not hide a faulty reference', async () => {
      const body = entry({ category_id: UNKNOWN, workspace_id: UNKNOWN, type: 'glossary' })
      assert.deepEqual(refusal(await call('POST', ENTRIES, body)), [
        422,
        'body.category_id reference_not_found',
        'body.metadata.term missing',
        'body.workspace_id reference_not_found',
      ])
    })

    test('metadata is not checked when the type is unknown', async () => {
      const body = entry({ type: 'poem', metadata: { steps: 1 }, layer: 1 })
      assert.deepEqual(refusal(await call('POST', ENTRIES, body)), [422, 'body.type enum', 'body.layer string_type'])
    })

    test('a reference to another tenant is reported like one that does not exist', async () => {
      const at = (id: string, workspace: string) =>
        call('POST', ENTRIES, { category_id: id, workspace_id: workspace, title: 1, metadata: [] })
      const foreign = await at(foreignCategory, foreignWorkspace)
      assert.deepEqual(foreign.body, (await at(UNKNOWN, UNKNOWN)).body)
      assert.deepEqual(refusal(foreign), [
        422,
        'body.title string_type',
        'body.content missing',
        'body.category_id reference_not_found',
        'body.metadata dict_type',
        'body.workspace_id reference_not_found',
      ])
    })

    test('a caller without the scope learns of no fault', async () => {
      const key = await service.key(['knowledge:read'])
      const answer = await call('POST', ENTRIES, { category_id: UNKNOWN }, { key })
      assert.deepEqual(refusal(answer), [403, 'header.authorization forbidden'])
    })

    test('the first fault decides the status: a level above the ceiling comes after the shape, before references', async () => {
      const key = await service.key(['knowledge:read', 'knowledge:write', 'visibility:internal'])
      const above = { visibility: 'restricted', category_id: UNKNOWN }
      const forbidden = await call('POST', ENTRIES, entry(above), { key })
      const both = ['body.category_id reference_not_found', 'body.visibility forbidden']
      assert.deepEqual(refusal(forbidden), [403, ...both])
      assert.match(forbidden.headers.get('www-authenticate')!, /scope="visibility:restricted"/)
      const broken = await call('POST', ENTRIES, entry({ ...above, title: '' }), { key })
      assert.deepEqual(refusal(broken), [422, 'body.title string_too_short', ...both])
    })

    test('a body that is null or not an object is the only fault', async () => {
      assert.deepEqual(refusal(await call('POST', ENTRIES, '[]')), [422, 'body dict_type'])
      assert.deepEqual(refusal(await call('POST', ENTRIES, 'null')).length, 2)
    })

    test('a private note is checked by its own contract', async () => {
      const body = { title: '', content: 'x', category_id: UNKNOWN, metadata: deep(9), workspace_id: UNKNOWN }
      assert.deepEqual(refusal(await call('POST', `${ENTRIES}/personal`, body)), [
        422,
        'body.title string_too_short',
        'body.category_id reference_not_found',
        'body.metadata json_too_deep',
      ])
      assert.deepEqual(refusal(await call('POST', `${ENTRIES}/personal`, { ...body, title: 'x' })), [
        422,
        'body.category_id reference_not_found',
        'body.metadata json_too_deep',
      ])
    })
  })

  describe('of a change', () => {
    test('metadata is checked by the stored type, together with everything else', async () => {
      const id = await create({ type: 'glossary', metadata: { term: 'x' } })
      const body = { type: 'skill', metadata: { steps: ['one'] }, category_id: UNKNOWN, layer: 5 }
      assert.deepEqual(refusal(await call('PATCH', `${ENTRIES}/${id}`, body)), [
        422,
        'body.category_id reference_not_found',
        'body.layer string_type',
        'body.metadata.term missing',
        'body.metadata.steps extra_forbidden',
        'body.type immutable_field',
      ])
      const sound = { metadata: { steps: ['one'] }, category_id: UNKNOWN }
      assert.deepEqual(refusal(await call('PUT', `${ENTRIES}/${id}`, sound)), [
        422,
        'body.category_id reference_not_found',
        'body.metadata.term missing',
        'body.metadata.steps extra_forbidden',
      ])
    })

    test('an invisible entry is reported as missing once the shape is right, and nothing stored is checked', async () => {
      const body = { title: '', metadata: { term: 5 }, category_id: UNKNOWN }
      assert.deepEqual(refusal(await call('PATCH', `${ENTRIES}/${UNKNOWN}`, body)), [
        422,
        'body.title string_too_short',
        'body.category_id reference_not_found',
      ])
      const sound = await call('PATCH', `${ENTRIES}/${UNKNOWN}`, { ...body, title: 'x' })
      assert.deepEqual(refusal(sound), [404, 'path.entry_id not_found'])
    })

    test('a caller that may write but not read gets no fault that reveals the stored type', async () => {
      const key = await service.key(['knowledge:write', 'visibility:internal'])
      const [glossary, knowledge] = [await create({ type: 'glossary', metadata: { term: 'x' } }), await create()]
      const body = { title: '', metadata: { steps: 1 }, category_id: UNKNOWN }
      const answers = await Promise.all(
        [glossary, knowledge, UNKNOWN].map((id) => call('PATCH', `${ENTRIES}/${id}`, body, { key })),
      )
      for (const answer of answers) {
        assert.deepEqual(refusal(answer), [
          422,
          'body.title string_too_short',
          'body.category_id reference_not_found',
          'body.metadata forbidden',
        ])
      }
    })
  })

  test('a line of a bulk lists all of its faults, whichever check fails first', async () => {
    const line = { ...entry({ type: 'glossary', metadata: { term: 'x' } }), source_reference: 'kept' }
    assert.deepEqual(await lines(`${ENTRIES}/bulk`, line), ['created'])
    const results = await lines(
      `${ENTRIES}/bulk`,
      entry({ title: '', type: 'skill', category_id: UNKNOWN }),
      entry({ type: 'skill', category_id: UNKNOWN }),
      { ...line, type: 'process', visibility: 'personal', content: 1 },
      { ...line, type: 'process', metadata: { steps: [] }, workspace_id: UNKNOWN },
      entry(),
    )
    assert.deepEqual(results, [
      ['body.title string_too_short', 'body.category_id reference_not_found', 'body.metadata.steps missing'],
      ['body.category_id reference_not_found', 'body.metadata.steps missing'],
      [
        'body.content string_type',
        'body.type immutable_field',
        'body.visibility value_error',
        'body.metadata.steps missing',
        'body.metadata.term extra_forbidden',
      ],
      ['body.type immutable_field', 'body.workspace_id reference_not_found'],
      'created',
    ])
  })

  /** Sends a bulk in two parts, and revokes its key in between. @returns the answers to all lines */
  const revokedBetween = async (first: string, second: string) => {
    const key = await service.key(['knowledge:read', 'knowledge:write', 'visibility:internal'])
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const encoder = new TextEncoder()
    const sent = writer.write(encoder.encode(first))
    const answer = await fetch(`${service.service.url}${ENTRIES}/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: readable,
      duplex: 'half',
    })
    await sent
    await service.database.queries
      .updateTable('api_keys')
      .set({ revoked_at: 1 })
      .where('name', '=', 'test')
      .where('tenant_id', '=', service.tenantId)
      .execute()
    await writer.write(encoder.encode(second))
    await writer.close()
    const results = (await answer.text()).trim().split('\n')
    return results.map((line) => JSON.parse(line))
  }

  test('once its credential has ended, a bulk reports only faults of shape', async () => {
    const bad = `${JSON.stringify({ title: 'x', category_id: UNKNOWN })}\n`
    const good = `${JSON.stringify(entry())}\n`
    const shape = 'body.content missing'
    for (const first of [bad.repeat(100), bad + good.repeat(99)]) {
      const results = await revokedBetween(first, bad.repeat(2))
      assert.deepEqual(told(results[0].detail), [shape, 'body.category_id reference_not_found'])
      assert.deepEqual([results.length, told(results[100].detail), told(results[101].detail)], [102, [shape], [shape]])
    }
  })

  test('a refused write of an assistant lists all faults, each with advice', async (t) => {
    const assistant = await connect(service, service.adminKey)
    t.after(() => assistant.close())
    const bad = { category_id: UNKNOWN, type: 'skill', nonsense: 1 }
    for (const [tool, input, fields] of [
      ['create_entry', bad, ['title', 'content', 'category_id', 'metadata.steps', 'nonsense']],
      ['create_entry', entry({ ...bad, nonsense: undefined }), ['category_id', 'metadata.steps']],
      ['create_personal_note', { title: 'x', category_id: UNKNOWN }, ['content', 'category_id']],
      [
        'update_entry',
        {
          entry_id: await create({ type: 'skill', metadata: { steps: ['a'] } }),
          title: '',
          metadata: {},
        },
        ['title', 'metadata.steps'],
      ],
    ] as const) {
      const { isError, text } = await use(assistant, tool, input)
      assert.ok(isError)
      const named = text
        .split('\n')
        .slice(1)
        .map((line) => /^- ([\w.]+):/.exec(line)?.[1])
      assert.deepEqual(named, fields, text)
    }
  })

  test('a refused product lists faults of its site, its shape and contradictory fields', async () => {
    const product = {
      title: 'Lamp',
      language: 'de',
      external_id: 'L-1',
      parent_external_id: 'L-1',
      price_special_from: '2026-02-01T00:00:00Z',
      price_special_until: '2026-01-01T00:00:00Z',
    }
    const related = ['body.price_special_until value_error', 'body.parent_external_id value_error']
    const push = (site: string, body: object) => call('POST', `${API}/products?site_id=${site}`, body)
    assert.deepEqual(refusal(await push('default', product)), [422, ...related])
    assert.deepEqual(refusal(await push('default', { ...product, title: 1, attributes: [] })), [
      422,
      'body.title string_type',
      'body.attributes dict_type',
      ...related,
    ])
    // The query comes before the body.
    for (const body of [product, { ...product, title: 1 }]) {
      assert.deepEqual(refusal(await push('nowhere', body)), [422, 'query.site_id reference_not_found'])
    }
    assert.deepEqual(refusal(await call('POST', `${API}/products`, { ...product, title: 1 })), [
      422,
      'query.site_id missing',
    ])
    assert.deepEqual(await lines(`${API}/products/bulk?site_id=default`, product, { ...product, currency: 'EURO' }), [
      related,
      ['body.price_special_until value_error', 'body.currency string_too_long', 'body.parent_external_id value_error'],
    ])
  })

  test('a refused category lists faults of its parent and its shape', async () => {
    const url = `${API}/categories`
    assert.deepEqual(refusal(await call('POST', url, { parent_id: foreignCategory, sort_order: -1 })), [
      422,
      'body.name missing',
      'body.parent_id reference_not_found',
      'body.sort_order greater_than_equal',
    ])
    assert.deepEqual(refusal(await call('PATCH', `${url}/${category}`, { name: '', parent_id: category })), [
      422,
      'body.name string_too_short',
      'body.parent_id value_error',
    ])
  })

  test('each unknown entry of a project or site, and each unknown member of a workspace, is reported at its place', async () => {
    const entryId = await create()
    const { id: project } = (await call('POST', `${API}/projects`, { name: 'Plan' })).body
    const { id: workspace } = (await call('POST', `${API}/workspaces`, { name: 'Team' })).body
    const [site] = (await service.call('GET', `${API}/sites`)).body
    for (const [url, field] of [
      [`projects/${project}/entries`, 'entry_ids'],
      [`sites/${site.id}/knowledge`, 'entry_ids'],
      [`workspaces/${workspace}/members`, 'user_ids'],
    ]) {
      const ids = [UNKNOWN, 'none', ...(field === 'entry_ids' ? [entryId] : []), 5, UNKNOWN.toUpperCase()]
      const last = ids.length - 1
      for (const method of ['POST', 'PUT']) {
        assert.deepEqual(refusal(await call(method, `${API}/${url}`, { [field]: ids })), [
          422,
          `body.${field}.0 reference_not_found`,
          `body.${field}.1 uuid_parsing`,
          `body.${field}.${last - 1} string_type`,
          `body.${field}.${last} reference_not_found`,
        ])
      }
    }
  })

  test('a body reports each bad field, whatever other fields are bad', async () => {
    const base = entry({ type: 'process', metadata: { steps: [{ title: 'one' }] } })
    const bad: Readonly<Record<string, readonly unknown[]>> = {
      title: ['', 7, null],
      content: ['', undefined],
      category_id: [UNKNOWN, 'none', undefined, foreignCategory],
      visibility: ['personal', 'loud'],
      summary: [7],
      layer: ['x'.repeat(51)],
      language: ['x', null],
      tags: [['', 'fine', 1], 'one'],
      search_keywords: [[null]],
      metadata: [{}, { steps: [{}], more: 1 }, [], deep(9)],
      translation_group_id: ['none'],
      workspace_id: [UNKNOWN, 'none', foreignWorkspace],
      source: ['nowhere'],
      source_reference: ['x'.repeat(1_001)],
    }
    const faultsOf = async (fields: object) => {
      const [status, ...faults] = refusal(await call('POST', ENTRIES, { ...base, ...fields }))
      assert.equal(status, 422)
      return faults as string[]
    }
    const alone = new Map<string, string[]>()
    const faultsAlone = async (field: string, value: unknown) => {
      const name = JSON.stringify([field, value])
      const faults = alone.get(name) ?? (await faultsOf({ [field]: value }))
      alone.set(name, faults)
      return faults
    }
    const plants = fc
      .subarray(Object.keys(bad), { minLength: 2 })
      .chain((fields) =>
        fc.tuple(...fields.map((field) => fc.constantFrom(...bad[field]).map((value) => [field, value] as const))),
      )
    const order = Object.keys(EntryCreate.properties)
    const placeOf = (fault: string) => order.indexOf(fault.split(/[. ]/)[1])
    await fc.assert(
      fc.asyncProperty(plants, async (planted) => {
        const faults = await faultsOf(Object.fromEntries(planted))
        const each = await Promise.all(planted.map(([field, value]) => faultsAlone(field, value)))
        assert.deepEqual(
          faults,
          each.flat().sort((one, other) => placeOf(one) - placeOf(other)),
        )
      }),
      { numRuns: inTier({ gate: 20, all: 60 }) },
    )
  })
})

/** Returns an object that is nested this many levels deep. */
function deep(levels: number): object {
  return levels === 1 ? {} : { inner: deep(levels - 1) }
}
