import { id, list, nullable, object, real, record, text, whole, word } from './kinds.ts'
import { cursor, type Fields, type Operation, type World } from './operation.ts'

const SECTIONS = ['knowledge', 'products']
const MODES = ['hybrid', 'semantic', 'keyword']
const CEILINGS = ['public', 'community', 'internal', 'workspace', 'restricted']

/** Returns the operations of the search laboratory and of judged sets, written like `operations`. */
export function laboratoryOperations(world: World): Readonly<Record<string, Operation>> {
  const view: Fields = {
    role: nullable(word(['reader', 'editor', 'admin'])),
    ceiling: nullable(word(CEILINGS)),
  }
  const relevance = nullable(real(0, 1))
  const question: Fields = {
    section: word(SECTIONS),
    query: text(1, 500),
    site_id: nullable(id(world.site)),
    filter: object({ all: [] }, { field: 'language', any_of: ['de'] }),
    min_relevance: relevance,
    ...view,
  }
  const set: Operation = { path: { set_id: id(world.set) } }
  const judgment = record({ id: id(world.entry), grade: whole(0, 2) }, { id: world.entry, grade: 2 }, ['id', 'grade'])
  const goodQuery = { query: 'something', judgments: [{ id: world.entry, grade: 2 }] }
  const query = record(
    { query: text(1, 500), judgments: list(judgment, 0, 50, () => ({ id: world.entry, grade: 1 })) },
    goodQuery,
    ['query', 'judgments'],
  )
  return {
    compareSearchModes: {
      body: { ...question, limit: whole(1, 20) },
      required: ['section', 'query'],
      good: { section: 'knowledge', query: 'something' },
    },
    explainMissingHit: {
      // The entry is no product.
      body: {
        ...question,
        section: { ...word(SECTIONS), accepts: ['knowledge'] },
        id: id(world.entry),
        mode: word(MODES),
      },
      required: ['section', 'query', 'id'],
      good: { section: 'knowledge', query: 'something', id: world.entry },
    },
    listJudgedSets: {},
    createJudgedSet: {
      body: { name: text(1, 200), section: word(SECTIONS) },
      required: ['name', 'section'],
      good: { name: 'A set', section: 'knowledge' },
      // A tenant has 50 sets at most.
      refusals: [409],
    },
    getJudgedSet: set,
    renameJudgedSet: { ...set, body: { name: text(1, 200) }, required: ['name'], good: { name: 'A set' } },
    deleteJudgedSet: set,
    listJudgedQueries: { ...set, query: { limit: whole(1, 1_000), cursor: cursorOf() } },
    putJudgedQueries: {
      ...set,
      body: { queries: list(query, 1, 500, () => goodQuery) },
      required: ['queries'],
      good: { queries: [goodQuery] },
    },
    deleteJudgedQuery: { path: { ...set.path, query_id: id(world.judgedQuery) } },
    listJudgedRuns: set,
    // A tenant has one run at a time.
    startJudgedRun: { ...set, body: { mode: word(MODES), min_relevance: relevance, ...view }, refusals: [409] },
    getJudgedRun: { path: { ...set.path, run_id: id(world.run) } },
  }
}

function cursorOf() {
  return { ...cursor(), accepts: [Buffer.from(JSON.stringify(['x'])).toString('base64url')] }
}
