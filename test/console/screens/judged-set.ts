import type { Page } from 'playwright-core'
import type { Screen } from '../screen.ts'

const PATH = '/console/judged-sets'
const NAME = 'Was der Kundendienst gefragt wird, auf Deutsch und auf Englisch'

/** Opens a set with two searches and three measurements, made over the API by the signed-in person. */
const openMeasured = async (page: Page): Promise<void> => {
  const id = await page.evaluate<string>(`(async () => {
    const call = async (method, path, body) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' }
      const answer = await fetch('/api/knowledge/' + path, { method, headers, body: JSON.stringify(body) })
      return answer.json()
    }
    const name = ${JSON.stringify(NAME)}
    const existing = (await call('GET', 'judged-sets')).find((set) => set.name === name)
    if (existing !== undefined) return existing.id
    const { id } = await call('POST', 'judged-sets', { name, section: 'knowledge' })
    const searches = ['Wie lange habe ich Urlaub', 'Sendung zurückschicken', 'Kosten der Bahnfahrt']
    const queries = []
    for (const query of searches) {
      const { answers } = await call('POST', 'laboratory/search', { section: 'knowledge', query, limit: 5 })
      const judgments = answers[0].hits.slice(0, 3).map((hit, i) => ({ id: hit.id, grade: [2, 0, 1][i] }))
      queries.push({ query, judgments })
    }
    await call('PUT', 'judged-sets/' + id + '/queries', { queries })
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      const run = await call('POST', 'judged-sets/' + id + '/runs', { mode })
      while ((await call('GET', 'judged-sets/' + id + '/runs/' + run.id)).state === 'running');
    }
    return id
  })()`)
  await page.goto(new URL(`${PATH}/${id}`, page.url()).href)
  await page.locator('.quality-chart').waitFor()
}

export const screens: readonly Screen[] = [
  { name: 'judged-set', as: 'admin', path: PATH, steps: openMeasured, ready: '.judged-file' },
  {
    name: 'judged-set-table',
    as: 'admin',
    path: PATH,
    steps: async (page) => {
      await openMeasured(page)
      await page.locator('.quality .button').click()
    },
    onlyOpens: true,
    ready: '.quality table',
  },
  {
    name: 'judged-set-gone',
    as: 'admin',
    path: '/console/judged-sets/00000000-0000-7000-8000-000000000000',
    ready: '.empty',
  },
]
