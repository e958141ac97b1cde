import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { inTier } from '../support/tier.ts'
import { ask, each, type Question } from './answers.ts'
import { Neighbour, step, type Step } from './neighbour.ts'
import { probesOf } from './probes.ts'
import { type Asker, buildRealm, COMMON_WORD, type Realm } from './world.ts'
import { until } from '../support/patience.ts'

/**
 * Number of sequences, and below it the number of steps in one. Asking all probes again after each sequence costs most,
 * so the gate takes about half as many steps in a fifth of the sequences.
 */
const RUNS = inTier({ gate: 4, all: 20 })
const STEPS = inTier({ gate: { minLength: 24, maxLength: 32 }, all: { minLength: 3, maxLength: 20 } })

onAnyDatabase('one tenant beside another', (kind) => {
  let service: TestService
  let mine: Realm
  let neighbour: Neighbour
  let probes: { asker: Asker; question: Question }[]
  let expected: string[]

  before(async () => {
    service = await TestService.start(kind, { RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '0' })
    mine = await buildRealm(service, 'mine', true)
    neighbour = await Neighbour.move(service, mine)
    const analytics = await analyticsOf(service, mine)
    const questions: Question[] = [
      analytics,
      ...probesOf(mine),
      ...(await furtherPages(service, mine)),
      { method: 'GET', path: '/api/knowledge/embedding-status' },
      { method: 'GET', path: '/api/knowledge/embedding-models' },
      { method: 'GET', path: '/openapi.json' },
      { method: 'HEAD', path: `/api/knowledge/knowledge-entries/${mine.ids.entry_id}` },
      { method: 'GET', path: `/api/knowledge/workspaces/${mine.ids.workspace_id}/members` },
    ]
    const askers = ['owner', 'reader', 'key up to community'].map((name) => mine.askers.find((a) => a.name === name)!)
    probes = askers.flatMap((asker) => questions.map((question) => ({ asker, question })))
    // A publishable key may ask a part of them; the rest is the matrix's.
    const open = questions.filter(({ path }) => /\/(search|suggest)(\?|$)/.test(path) && !path.includes('analytics'))
    const visitors = [mine.visitor, mine.siteVisitors.full, { ...mine.visitor, isKeyInAddress: true as const }]
    probes.push(...visitors.flatMap((asker) => open.map((question) => ({ asker, question }))))
    expected = await each(probes, probe)
  })
  after(() => service.stop())

  const probe = async ({ asker, question }: (typeof probes)[number]): Promise<string> =>
    (await ask(service, asker, question)).bytes

  /**
   * Removes an entry from a project and adds it again. Nothing differs afterwards, but search has to read the changes.
   */
  const readOn = async (): Promise<void> => {
    const path = `/api/knowledge/projects/${mine.ids.project_id}/entries`
    const body = { entry_ids: [mine.ids.entry_id] }
    const out = await ask(service, mine.owner, { method: 'DELETE', path: `${path}/${mine.ids.entry_id}` })
    const back = await ask(service, mine.owner, { method: 'POST', path, body })
    assert.deepEqual([out.status, back.json.added], [204, 1])
  }

  test('probes are answered, and answers are equal while nothing happens', async () => {
    assert.deepEqual(await each(probes, probe), expected)
    const refused = expected.filter((bytes) => !bytes.startsWith('200'))
    // The reader may not ask the operator's routes, the administrators', the analytics, the bin, judged sets, and what
    // only writers of products may. The run of a higher ceiling is hidden from the lower one. Three visitors may not
    // count entries by what they do not show, in three modes. Where the request prefers it, a field that nothing reads is
    // refused: three for each asker, of which two for visitors. A key for one site searches that site, and a cursor of a
    // search over all sites is not for it.
    assert.equal(refused.length, 21 + 3 * 3 + 3 * 3 + 3 * 2 + 3, refused.join('\n'))
  })

  test('whatever a tenant writes, changes, deletes or searches, not a byte of another tenant’s answers changes', async () => {
    let turn = 0
    const check = async (i: number): Promise<void> => {
      const { asker, question } = probes[i]
      assert.equal(await probe(probes[i]), expected[i], `${asker.name}: ${JSON.stringify(question)}`)
    }
    const sequence = fc.array(step, { ...STEPS, size: 'max' })
    const run = async (steps: readonly Step[]): Promise<void> => {
      for (const one of steps) {
        // Some probes run during the step, so that they meet incomplete work.
        const some = Array.from({ length: 4 }, () => turn++ % probes.length)
        await Promise.all([neighbour.take(one), ...some.map(check)])
      }
      await readOn()
      await each([...probes.keys()], check)
    }
    await fc.assert(fc.asyncProperty(sequence, run), { numRuns: RUNS })
    const newcomer = await service.sibling()
    const afresh = await each(probes, async (one) => (await ask({ service: newcomer }, one.asker, one.question)).bytes)
    await newcomer.stop()
    assert.deepEqual(afresh, expected, 'a process that builds its indexes now')
    // Steps that did nothing would prove nothing.
    assert.ok(neighbour.done.size >= 18, [...neighbour.done].join(', '))
  })
})

/** Returns questions for the page after the first hits of each section, with the cursors of the owner's answer. */
async function furtherPages(service: TestService, { owner }: Realm): Promise<Question[]> {
  const questionWith = (mode: string, cursors: Readonly<Record<string, string>>): Question => ({
    method: 'POST',
    path: '/api/knowledge/search',
    body: {
      query: COMMON_WORD,
      mode,
      include_total: true,
      products: { limit: 1, cursor: cursors.products },
      knowledge: { limit: 1, cursor: cursors.knowledge },
    },
  })
  return each(['semantic', 'keyword', 'hybrid'], async (mode) => {
    const { json, text } = await ask(service, owner, questionWith(mode, {}))
    const sections = json.sections as { section: string; next_cursor: string | null }[]
    assert.ok(sections.length === 2 && sections.every(({ next_cursor: cursor }) => cursor !== null), text)
    return questionWith(
      mode,
      Object.fromEntries(sections.map(({ section, next_cursor: cursor }) => [section, cursor!])),
    )
  })
}

/**
 * Returns the question for the analytics of the realm's searches and clicks, once all are written. The range ends now,
 * so that only foreign searches and clicks could change the answer.
 */
async function analyticsOf(service: TestService, { owner, ids }: Realm): Promise<Question> {
  const body = { search_log_id: ids.search_log_id, action: 'click', product_id: ids.entry_id, section: 'knowledge' }
  await ask(service, owner, { method: 'POST', path: '/api/knowledge/search/clicks', body })
  const to = new Date(Date.now() + 1).toISOString()
  const path = `/api/knowledge/analytics/search?from=2020-01-01T00:00:00Z&to=${to}`
  const question = { method: 'GET', path }
  await until(async () => {
    const { json } = await ask(service, owner, question)
    return json.total.searches === 1 && json.top_products.length === 1
  }, 'the search and the click are written')
  return question
}
