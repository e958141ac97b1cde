import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { post } from '../mcp/assistant.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { ask, type Question, withoutNames } from './answers.ts'
import { ENTRIES, UNKNOWN } from './world.ts'

const API = '/api/knowledge'
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** The name of the lines around what others wrote, new in each answer of a tool. */
const QUOTE = /data-[\w-]{12}/g
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
/** Every scope that writes, and none that reads. */
const WRITES = [
  'knowledge:write',
  'knowledge:delete',
  'knowledge:personal',
  'categories:write',
  'sites:write',
  'visibility:workspace',
]

/** Content of two tenants that are otherwise equal. A guess is right in one of them. */
const STORED = {
  left: {
    type: 'skill',
    title: 'Left',
    content: 'What the left one says',
    summary: 'Left in short',
    tags: ['left'],
    layer: 'L1',
    language: 'de',
    visibility: 'internal',
    metadata: { steps: ['one'] },
  },
  right: {
    type: 'knowledge',
    title: 'Right',
    content: 'What the right one says',
    summary: null,
    tags: [],
    language: 'en',
    visibility: 'workspace',
    metadata: { free: true },
  },
} as const

type Side = keyof typeof STORED

/** A tenant and the ids of what both tenants have. */
interface World {
  readonly side: Side
  readonly tenant: string
  readonly owner: string
  readonly writer: string
  readonly ids: Readonly<Record<'category' | 'other' | 'project' | 'site' | 'crew' | 'strangers', string>>
}

/** A write to an entry that is made only for this write. */
type Write = (ids: World['ids'] & { readonly entry: string }, reference: string) => Question

const patches: ((ids: World['ids']) => object)[] = [
  () => ({}),
  () => ({ title: 'Left' }),
  () => ({ content: 'What the left one says' }),
  () => ({ title: 'Left', content: 'What the left one says', summary: 'Left in short' }),
  () => ({ tags: ['left'] }),
  () => ({ tags: [] }),
  () => ({ layer: 'L1' }),
  () => ({ layer: null }),
  () => ({ language: 'de' }),
  () => ({ summary: null }),
  () => ({ type: 'skill' }),
  () => ({ metadata: { steps: ['one'] } }),
  () => ({ metadata: { free: true } }),
  () => ({ metadata: { steps: 1 } }),
  () => ({ related_themes: 'left' }),
  () => ({ visibility: 'internal' }),
  () => ({ visibility: 'restricted' }),
  () => ({ visibility: 'personal' }),
  () => ({ visibility: 'workspace' }),
  ({ crew }) => ({ visibility: 'workspace', workspace_id: crew }),
  ({ strangers }) => ({ visibility: 'workspace', workspace_id: strangers }),
  ({ strangers }) => ({ visibility: 'internal', workspace_id: strangers }),
  ({ crew }) => ({ workspace_id: crew }),
  ({ strangers }) => ({ workspace_id: strangers }),
  () => ({ workspace_id: null }),
  () => ({ workspace_id: UNKNOWN, visibility: 'internal' }),
  ({ category }) => ({ category_id: category }),
  ({ other }) => ({ category_id: other }),
  () => ({ category_id: UNKNOWN }),
  () => ({ title: '' }),
]
const TAGS = ['"1"', '"3"', '"1", "3"', 'W/"3"', '*', 'broken']

const writes: Write[] = [
  ...(['PATCH', 'PUT'] as const).flatMap((method) =>
    patches.map((body): Write => (ids) => ({ method, path: `${ENTRIES}/${ids.entry}`, body: body(ids) })),
  ),
  ...(['PATCH', 'DELETE'] as const).flatMap((method) =>
    TAGS.map((tag): Write => ({ entry }) => ({
      method,
      path: `${ENTRIES}/${entry}`,
      body: method === 'PATCH' ? { title: 'Left' } : undefined,
      headers: { 'if-match': tag },
    })),
  ),
  ...TAGS.map((tag): Write => ({ project }) => ({
    method: 'PATCH',
    path: `${API}/projects/${project}`,
    body: { name: 'Left' },
    headers: { 'if-match': tag },
  })),
  ...lines().map((line): Write => (ids, reference) => ({
    method: 'POST',
    path: `${ENTRIES}/bulk`,
    ndjson: true,
    body: line(ids, reference),
  })),
  ({ category }) => ({ method: 'POST', path: ENTRIES, body: { title: 'New', content: 'New', category_id: category } }),
  ({ category }, source_reference) => ({
    method: 'POST',
    path: `${ENTRIES}/personal`,
    body: { title: 'New', content: 'New', category_id: category, source_reference },
  }),
  ...(['POST', 'PUT'] as const).flatMap((method): Write[] => [
    ({ project, entry }) => ({ method, path: `${API}/projects/${project}/entries`, body: { entry_ids: [entry] } }),
    ({ project }) => ({ method, path: `${API}/projects/${project}/entries`, body: { entry_ids: [UNKNOWN] } }),
    ({ site, entry }) => ({ method, path: `${API}/sites/${site}/knowledge`, body: { entry_ids: [entry] } }),
  ]),
  ({ project, entry }) => ({ method: 'DELETE', path: `${API}/projects/${project}/entries/${entry}` }),
  ({ project }) => ({ method: 'DELETE', path: `${API}/projects/${project}/entries/${UNKNOWN}` }),
  ({ site, entry }) => ({ method: 'DELETE', path: `${API}/sites/${site}/knowledge/${entry}` }),
  ({ site }) => ({ method: 'DELETE', path: `${API}/sites/${site}/knowledge` }),
  ...[{}, { name: 'Plan left' }, { description: null }].map((body): Write => ({ project }) => ({
    method: 'PATCH',
    path: `${API}/projects/${project}`,
    body,
  })),
  ...[{}, { name: 'Shelf left' }, { sort_order: 3 }].map((body): Write => ({ category }) => ({
    method: 'PUT',
    path: `${API}/categories/${category}`,
    body,
  })),
]

/** Returns lines of an import for an existing reference, with other content, type and level, and for a new one. */
function lines(): ((ids: World['ids'], reference: string) => object)[] {
  const { left, right } = STORED
  const whole = ({ category }: World['ids'], source_reference: string, stored: object) => ({
    ...stored,
    category_id: category,
    source_reference,
  })
  const { visibility: _level, ...leftWithoutLevel } = left
  return [
    (ids, reference) => whole(ids, reference, left),
    (ids, reference) => whole(ids, reference, { ...right, visibility: 'internal' }),
    (ids, reference) => whole(ids, reference, leftWithoutLevel),
    (ids, reference) => whole(ids, reference, { title: 'Left', content: 'New' }),
    (ids, reference) => whole(ids, reference, { ...left, type: 'process' }),
    (ids, reference) => whole(ids, reference, { ...left, visibility: 'restricted' }),
    (ids, reference) => whole(ids, reference, { ...right, workspace_id: ids.crew }),
    (ids, reference) => whole(ids, reference, { ...right, workspace_id: ids.strangers }),
    (ids, reference) => whole(ids, reference, right),
    (ids, reference) => whole(ids, reference, { ...leftWithoutLevel, workspace_id: ids.strangers }),
    (ids, reference) => whole(ids, reference, { ...left, category_id: UNKNOWN }),
    (ids) => whole(ids, 'nobody has this', left),
    ({ category }) => ({ ...left, category_id: category }),
    (ids, reference) => whole(ids, reference, { ...left, content: '' }),
  ]
}

/** Calls of the tools that write. */
const calls: { name: string; input: (ids: World['ids'] & { readonly entry: string }) => object }[] = [
  ...patches.map((body) => ({
    name: 'update_entry',
    input: (ids: World['ids'] & { readonly entry: string }) => ({ entry_id: ids.entry, ...body(ids) }),
  })),
  ...[1, 3].flatMap((expected_version) =>
    ['update_entry', 'delete_entry'].map((name) => ({
      name,
      input: ({ entry }: { readonly entry: string }) => ({ entry_id: entry, expected_version }),
    })),
  ),
  {
    name: 'create_entry',
    input: ({ category }) => ({ title: 'New', content: 'New', category_id: category }),
  },
  { name: 'delete_entry', input: ({ entry }) => ({ entry_id: entry }) },
]

onAnyDatabase('a caller that may write but not read', (kind) => {
  let service: TestService
  let worlds = 0
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const make = async (key: string, path: string, body: object, method = 'POST'): Promise<string> => {
    const answer = await service.call(method, `${API}/${path}`, { key, body })
    assert.ok(answer.status < 300, JSON.stringify(answer.body))
    return answer.body.id
  }

  /** Builds one of two tenants with different content, names and memberships. */
  const worldOf = async (side: Side, membersOnly: boolean): Promise<World> => {
    // Names of equal length, because the length of an answer is compared too.
    const tenant = `world-${String(worlds++).padStart(3, '0')}`
    await service.tenant(tenant)
    const owner = await service.user({ tenant, email: 'owner@x' })
    const writer = await service.user({ tenant, email: 'writer@x', role: 'admin', scopes: WRITES })
    const add = (path: string, body: object) => make(owner.key, path, body)
    const ids = {
      category: await add('categories', { name: `Shelf ${side}` }),
      other: await add('categories', { name: `Other ${side}` }),
      project: await add('projects', { name: `Plan ${side}` }),
      site: await add('sites', { slug: 'shop', name: 'Shop' }),
      crew: await add('workspaces', { name: 'Crew' }),
      strangers: await add('workspaces', { name: 'Strangers' }),
    }
    await make(owner.key, `workspaces/${ids.crew}/members`, { user_ids: [owner.userId, writer.userId] }, 'PUT')
    if (membersOnly) await changeTenant(service.database, tenant, { settings: { workspaces: 'true' } })
    return { side, tenant, owner: owner.key, writer: writer.key, ids }
  }

  /** Creates an entry with this world's text, level, version, place and memberships. */
  const entryIn = async ({ side, owner, ids }: World, reference: string): Promise<string> => {
    const isLeft = side === 'left'
    const entry = await make(owner, 'knowledge-entries', {
      ...STORED[side],
      category_id: isLeft ? ids.category : ids.other,
      workspace_id: isLeft ? null : ids.crew,
      source_reference: reference,
    })
    if (!isLeft) return entry
    await make(owner, `knowledge-entries/${entry}`, { title: 'Before' }, 'PATCH')
    await make(owner, `knowledge-entries/${entry}`, { title: STORED.left.title }, 'PATCH')
    await make(owner, `projects/${ids.project}/entries`, { entry_ids: [entry] })
    await make(owner, `sites/${ids.site}/knowledge`, { entry_ids: [entry] })
    return entry
  }

  /** Replaces ids and names by common ones, so that equal answers of both worlds are equal texts. */
  const alike = (text: string, { tenant, ids }: World, entry: string): string => {
    const names = new Map(Object.entries({ ...ids, entry }).map(([name, id]) => [id, name]))
    return withoutNames(text)
      .replace(UUID, (id) => `<${names.get(id) ?? 'new'}>`)
      .replace(TIME, '<time>')
      .replace(QUOTE, 'data-<nonce>')
      .replaceAll(tenant, '<tenant>')
  }

  for (const membersOnly of [false, true]) {
    const where = membersOnly ? 'where workspaces have members' : 'where workspaces have none'

    test(`gets the same bytes from every route, whatever is stored, ${where}`, async () => {
      const pair = [await worldOf('left', membersOnly), await worldOf('right', membersOnly)]
      const statuses = new Set<number>()
      for (const [i, write] of writes.entries()) {
        const answers: string[] = []
        let request = ''
        for (const world of pair) {
          const reference = `reference ${i}`
          const entry = await entryIn(world, reference)
          const question = write({ ...world.ids, entry }, reference)
          const answer = await ask(service, { authorization: `Bearer ${world.writer}` }, question)
          statuses.add(answer.status)
          answers.push(alike(answer.bytes, world, entry))
          request = `${question.method} ${question.path} ${JSON.stringify(question.body)} ${JSON.stringify(question.headers)}`
        }
        assert.equal(answers[0], answers[1], request)
        assert.doesNotMatch(answers[0], /left|L1|right one/i, request)
      }
      assert.deepEqual([...statuses].toSorted(), [200, 201, 204, 403, 404, 422])
    })

    test(`gets the same answers from every MCP tool, ${where}`, async () => {
      const pair = [await worldOf('left', membersOnly), await worldOf('right', membersOnly)]
      let done = 0
      for (const [i, { name, input }] of calls.entries()) {
        const answers: string[] = []
        for (const world of pair) {
          const entry = await entryIn(world, `reference ${i}`)
          const params = { name, arguments: input({ ...world.ids, entry }) }
          const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
          const headers = { authorization: `Bearer ${world.writer}` }
          const answer = await post(service.service.url, message, headers)
          assert.equal(answer.status, 200, answer.text)
          if (answer.message.result.isError !== true) done++
          answers.push(alike(answer.text, world, entry))
        }
        assert.equal(answers[0], answers[1], `${name} ${JSON.stringify(input({ ...pair[0].ids, entry: 'e' }))}`)
      }
      assert.ok(done >= 30, `${done} of ${calls.length} calls in two worlds were not refused`)
    })
  }

  test('replaces by reference only entries of the same type', async () => {
    const key = await service.key(WRITES)
    const category_id = await service.category('Imports')
    const send = async (line: object, by = key) => {
      const body = { title: 'T', content: 'C', category_id, source_reference: 'doc', visibility: 'internal', ...line }
      const question = { method: 'POST', path: `${ENTRIES}/bulk`, ndjson: true, body }
      const { json } = await ask(service, { authorization: `Bearer ${by}` }, question)
      const { watermark, ...told } = json
      assert.match(watermark, /^[\w-]{22}$/)
      return told
    }
    const stored = { line: 1, status: 'stored', source_reference: 'doc' }
    assert.deepEqual(await send({}), stored)
    assert.deepEqual(await send({}), stored)
    assert.deepEqual(await send({ title: 'Changed' }), stored)
    assert.deepEqual(await send({ type: 'skill', metadata: { steps: ['one'] } }), stored)
    const { body } = await service.call('GET', `/api/knowledge/knowledge-entries?category_id=${category_id}`)
    assert.deepEqual(
      body.map((entry: { type: string; title: string; version: number }) => [entry.type, entry.title, entry.version]),
      [
        ['skill', 'T', 1],
        ['knowledge', 'Changed', 2],
      ],
    )
    const told = await send({ title: 'Changed' }, service.adminKey)
    assert.deepEqual([told.status, told.id], ['unchanged', body[1].id])
  })
})
