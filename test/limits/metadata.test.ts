import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { Stage } from './stage.ts'

const ID = '0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'
const BYTES_MAX = 64 * 1_024

type Metadata = Record<string, unknown>
/** Place below `body.metadata`, type and message of each fault, in their order. */
type Said = readonly (readonly [place: string, type: string, msg: string])[]

const string = 'Input should be a valid string'
const dict = 'Input should be a valid dictionary'
const list = 'Input should be a valid list'
const missing = 'Field required'
const extra = 'Extra inputs are not permitted'
const empty = 'String should have at least 1 character'
const number = 'Input should be a valid number'
const whole = 'Input should be a valid integer'
const atLeast0 = 'Input should be greater than or equal to 0'
const datetime = 'Input should be a valid datetime'

/** Valid metadata of each type, and the form in which it is stored. */
const FINE: readonly (readonly [type: string, input: Metadata, output: Metadata])[] = [
  ['knowledge', {}, {}],
  [
    'knowledge',
    { ' any ': ' kept as it is ', n: null, list: [1, [2]] },
    { ' any ': ' kept as it is ', n: null, list: [1, [2]] },
  ],
  [
    'knowledge',
    { constructor: 1, toString: 'x', hasOwnProperty: [] },
    { constructor: 1, toString: 'x', hasOwnProperty: [] },
  ],
  ['skill', { steps: [' a '] }, { steps: ['a'] }],
  [
    'skill',
    { steps: Array(100).fill('a'), trigger: '', tools: [], difficulty: 'advanced' },
    { steps: Array(100).fill('a'), trigger: '', tools: [], difficulty: 'advanced' },
  ],
  ['process', { steps: [] }, { steps: [] }],
  [
    'process',
    { steps: [{ title: ' t ', duration_minutes: 0 }], owner: ' o ' },
    { steps: [{ title: 't', duration_minutes: 0 }], owner: 'o' },
  ],
  ['glossary', { term: ' T ', synonyms: [' s '], abbreviation: '' }, { term: 'T', synonyms: ['s'], abbreviation: '' }],
  ['memory', {}, { importance: 0.5 }],
  ['memory', { importance: 0 }, { importance: 0 }],
  ['memory', { importance: 1, context: { ' free ': [' x '] } }, { importance: 1, context: { ' free ': [' x '] } }],
  [
    'memory',
    { expires_at: '2999-12-31T23:59:59.9999+23:59', importance: 0.25 },
    { expires_at: '2999-12-31T00:00:59.999Z', importance: 0.25 },
  ],
  ['bootstrap', {}, { priority: 0, always_load: false }],
  [
    'bootstrap',
    { priority: 2_147_483_647, audience: ['x'], always_load: true },
    { priority: 2_147_483_647, audience: ['x'], always_load: true },
  ],
  ['skill_index', { skills: [] }, { skills: [] }],
  ['skill_index', { skills: [{ entry_id: ID.toUpperCase(), name: ' n ' }] }, { skills: [{ entry_id: ID, name: 'n' }] }],
]

/** Metadata with one broken rule each, except for cases with several faults. */
const FAULTY: readonly (readonly [type: string, metadata: Metadata, said: Said])[] = [
  ['skill', {}, [['steps', 'missing', missing]]],
  ['skill', { steps: [] }, [['steps', 'too_short', 'List should have at least 1 item after validation, not 0']]],
  [
    'skill',
    { steps: Array(101).fill('a') },
    [['steps', 'too_long', 'List should have at most 100 items after validation, not 101']],
  ],
  ['skill', { steps: 'a' }, [['steps', 'list_type', list]]],
  ['skill', { steps: [5] }, [['steps.0', 'string_type', string]]],
  ['skill', { steps: ['a', '  '] }, [['steps.1', 'string_too_short', empty]]],
  ['skill', { steps: ['a'], trigger: null }, [['trigger', 'string_type', string]]],
  ['skill', { steps: ['a'], tools: [''] }, [['tools.0', 'string_too_short', empty]]],
  [
    'skill',
    { steps: ['a'], difficulty: 'easy' },
    [['difficulty', 'enum', "Input should be 'beginner', 'intermediate' or 'advanced'"]],
  ],
  ['skill', { steps: ['a'], colour: 1 }, [['colour', 'extra_forbidden', extra]]],
  ['skill', { steps: ['a'], constructor: 1 }, [['constructor', 'extra_forbidden', extra]]],
  ['process', {}, [['steps', 'missing', missing]]],
  ['process', { steps: [{}] }, [['steps.0.title', 'missing', missing]]],
  ['process', { steps: [null] }, [['steps.0', 'dict_type', dict]]],
  [
    'process',
    { steps: [{ title: 't', duration_minutes: -1 }] },
    [['steps.0.duration_minutes', 'greater_than_equal', atLeast0]],
  ],
  ['process', { steps: [{ title: 't', duration_minutes: '5' }] }, [['steps.0.duration_minutes', 'float_type', number]]],
  ['process', { steps: [{ title: 't', when: 1 }] }, [['steps.0.when', 'extra_forbidden', extra]]],
  ['process', { steps: [], inputs: 'a' }, [['inputs', 'list_type', list]]],
  [
    'process',
    { steps: [{ title: '' }, { role: 5 }], owner: 5, odd: 1 },
    [
      ['steps.0.title', 'string_too_short', empty],
      ['steps.1.title', 'missing', missing],
      ['steps.1.role', 'string_type', string],
      ['owner', 'string_type', string],
      ['odd', 'extra_forbidden', extra],
    ],
  ],
  ['glossary', {}, [['term', 'missing', missing]]],
  ['glossary', { term: ' ' }, [['term', 'string_too_short', empty]]],
  ['glossary', { term: 't', synonyms: ['a', 5] }, [['synonyms.1', 'string_type', string]]],
  ['glossary', { term: 't', antonyms: {} }, [['antonyms', 'list_type', list]]],
  ['memory', { importance: -0.001 }, [['importance', 'greater_than_equal', atLeast0]]],
  ['memory', { importance: 1.001 }, [['importance', 'less_than_equal', 'Input should be less than or equal to 1']]],
  ['memory', { importance: '0.5' }, [['importance', 'float_type', number]]],
  ['memory', { expires_at: 'tomorrow' }, [['expires_at', 'datetime_parsing', datetime]]],
  ['memory', { expires_at: '2026-02-29T00:00:00Z' }, [['expires_at', 'datetime_parsing', datetime]]],
  ['memory', { expires_at: '2026-01-01T00:00:00' }, [['expires_at', 'datetime_parsing', datetime]]],
  ['memory', { expires_at: 1_700_000_000 }, [['expires_at', 'string_type', string]]],
  ['memory', { context: [] }, [['context', 'dict_type', dict]]],
  ['bootstrap', { priority: -1 }, [['priority', 'greater_than_equal', atLeast0]]],
  [
    'bootstrap',
    { priority: 2_147_483_648 },
    [['priority', 'less_than_equal', 'Input should be less than or equal to 2147483647']],
  ],
  ['bootstrap', { priority: '1' }, [['priority', 'int_type', whole]]],
  ['bootstrap', { always_load: 1 }, [['always_load', 'bool_type', 'Input should be a valid boolean']]],
  ['bootstrap', { audience: [''] }, [['audience.0', 'string_too_short', empty]]],
  ['skill_index', {}, [['skills', 'missing', missing]]],
  ['skill_index', { skills: [{ name: 'n' }] }, [['skills.0.entry_id', 'missing', missing]]],
  [
    'skill_index',
    { skills: [{ entry_id: 'zz', name: '' }] },
    [
      ['skills.0.entry_id', 'uuid_parsing', 'Input should be a valid UUID'],
      ['skills.0.name', 'string_too_short', empty],
    ],
  ],
]

onAnyDatabase('metadata', (kind) => {
  let stage: Stage
  before(async () => {
    stage = await Stage.start(kind)
  })
  after(() => stage.stop())

  const create = (type: string, metadata: unknown) =>
    stage.send('createEntry', {
      body: { title: 'T', content: 'C', category_id: stage.world.category, type, metadata },
    })
  const refusedAs = async (type: string, metadata: unknown, said: Said) => {
    const { status, body } = await create(type, metadata)
    const detail = said.map(([place, type, msg]) => ({
      loc: ['body', 'metadata', ...(place === '' ? [] : place.split('.'))],
      msg,
      type,
    }))
    assert.deepEqual({ status, detail: body.detail }, { status: 422, detail }, `${type} ${place(metadata)}`)
  }

  test('that is valid is stored normalised, and sending it back as an update changes nothing', async () => {
    for (const [type, input, output] of FINE) {
      const created = await create(type, input)
      assert.equal(created.status, 201, `${type} ${place(input)}: ${JSON.stringify(created.body)}`)
      assert.deepEqual(created.body.metadata, output)
      const path = { entry_id: created.body.id }
      assert.deepEqual((await stage.send('getEntry', { path })).body.metadata, output)
      for (const metadata of [input, output]) {
        assert.deepEqual((await stage.send('updateEntry', { path, body: { metadata } })).body, created.body)
      }
      const renamed = await stage.send('updateEntry', { path, body: { title: 'Another' } })
      assert.deepEqual([renamed.status, renamed.body.metadata], [200, output])
    }
  })

  test('that breaks a rule of its type is refused at its place, and nothing is stored', async () => {
    const before = await stage.rows()
    for (const [type, metadata, said] of FAULTY) await refusedAs(type, metadata, said)
    assert.deepEqual(await stage.rows(), before)
  })

  test('is judged by the type of the entry when it is updated', async () => {
    const { body: skill } = await create('skill', { steps: ['a'] })
    const path = { entry_id: skill.id }
    const answer = await stage.send('updateEntry', { path, body: { metadata: { term: 't' } } })
    assert.deepEqual(
      answer.body.detail.map((fault: { loc: string[]; type: string }) => `${fault.loc.join('.')} ${fault.type}`),
      ['body.metadata.steps missing', 'body.metadata.term extra_forbidden'],
    )
    assert.deepEqual((await stage.send('getEntry', { path })).body, skill)
  })

  test('has at most 64 KiB as JSON, counted in bytes', async () => {
    const sized = (bytes: number, fill: string) => {
      const room = bytes - Buffer.byteLength(JSON.stringify({ k: '' }))
      return { k: fill.repeat(room / Buffer.byteLength(fill)) + 'x'.repeat(room % Buffer.byteLength(fill)) }
    }
    const said: Said = [['', 'json_too_large', `Metadata should have at most ${BYTES_MAX} bytes as JSON`]]
    for (const fill of ['x', '😀']) {
      const creation = await create('knowledge', sized(BYTES_MAX, fill))
      assert.equal(creation.status, 201)
      assert.deepEqual(creation.body.metadata, sized(BYTES_MAX, fill))
      await refusedAs('knowledge', sized(BYTES_MAX + 1, fill), said)
    }
  })

  test('has at most 8 levels, including the outermost object', async () => {
    const nested = (levels: number): Metadata => (levels === 1 ? {} : { k: nested(levels - 1) })
    const lists = (levels: number): unknown => (levels === 0 ? 1 : [lists(levels - 1)])
    const said: Said = [['', 'json_too_deep', 'Metadata should be at most 8 levels deep']]
    for (const type of ['knowledge', 'memory']) {
      const fits = type === 'memory' ? { context: nested(7) } : nested(8)
      const deeper = type === 'memory' ? { context: nested(8) } : nested(9)
      assert.equal((await create(type, fits)).status, 201)
      await refusedAs(type, deeper, said)
    }
    assert.equal((await create('knowledge', { k: lists(7) })).status, 201)
    await refusedAs('knowledge', { k: lists(8) }, said)
  })

  test('keeps the expiry of a memory within years that can be written in UTC', async () => {
    for (const [input, output] of [
      ['2026-01-01t00:00:00.123456789z', '2026-01-01T00:00:00.123Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ]) {
      assert.equal((await create('memory', { expires_at: input })).body.metadata.expires_at, output)
    }
    for (const expires_at of ['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01']) {
      await refusedAs('memory', { expires_at }, [['expires_at', 'datetime_parsing', datetime]])
    }
  })
})

const place = (metadata: unknown) => JSON.stringify(metadata).slice(0, 80)
