import { setTimeout as sleep } from 'node:timers/promises'
import { writeBatch } from '../../src/insights/search-log/store.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { DAY_MS, visitsFrom } from '../support/visits.ts'
import { times, type Abuser } from './abuser.ts'
import { prepared } from './scenario.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const CLICKS_PER_SECOND = 500
const SEARCHES = 200_000

interface Written {
  readonly category: string
  readonly ids: readonly string[]
  readonly large: string
}

async function store(abuser: Abuser): Promise<Written> {
  const category = await abuser.api.category('Written')
  const entry = (n: number) => ({
    title: `Entry ${n}`,
    content: abuser.words(60),
    category_id: category,
    language: 'en',
  })
  const ids = await abuser.store(times(1_000, entry))
  const [large] = await abuser.store([{ ...entry(0), content: abuser.words(2_000) }])
  return { category, ids, large }
}

const patch = (id: string, body: object) => ({ method: 'PATCH', path: `${ENTRIES}/${id}`, body }) as const

export const WRITES = prepared({ name: 'writes' }, store, [
  {
    name: 'small-writes',
    what: 'changes small entries on 32 connections',
    run: (abuser, { ids }) => abuser.flood(32, (n) => patch(ids[n % ids.length], { summary: `Change ${n}` })),
  },
  {
    name: 'content-writes',
    what: 'changes contents of 20,000 characters, whose vectors are made within the write, on 16 connections',
    run: (abuser, { ids }) =>
      abuser.flood(16, (n) => patch(ids[n % ids.length], { content: `${n} ${abuser.words(2_200)}` })),
  },
  {
    name: 'large-writes',
    what: 'changes contents of 1 MB on 8 connections',
    run(abuser, { ids }) {
      const content = abuser.words(110_000)
      return abuser.flood(8, (n) => patch(ids[n % 50], { content: `${n} ${content}`.slice(0, 990_000) }))
    },
  },
  {
    name: 'one-entry',
    what: 'changes one entry of 18,000 characters again and again on 8 connections and lists its versions',
    run: (abuser, { large }) =>
      abuser.flood(8, (n) =>
        n % 10 === 0 ? { path: `${ENTRIES}/${large}/versions?limit=1000` } : patch(large, { summary: `Change ${n}` }),
      ),
  },
  {
    name: 'create-delete',
    what: 'creates and deletes entries on 16 connections',
    async run(abuser, { category }) {
      const work = async (): Promise<void> => {
        const client = abuser.client()
        while (!abuser.isOver) {
          const body = { title: 'Short-lived', content: abuser.words(30), category_id: category, language: 'en' }
          try {
            const { id } = (await abuser.ask(client, { method: 'POST', path: ENTRIES, body })) as { id: string }
            await abuser.send(client, { method: 'DELETE', path: `${ENTRIES}/${id}` })
          } catch {
            await sleep(50)
          }
        }
      }
      await Promise.all(Array.from({ length: 16 }, work))
    },
  },
  {
    name: 'categories-write',
    what: 'creates categories with long descriptions on 32 connections',
    run: (abuser) =>
      abuser.flood(32, (n) => ({
        method: 'POST',
        path: '/api/knowledge/categories',
        body: { name: `Category ${n}`, description: 'd'.repeat(5_000) },
      })),
  },
  {
    name: 'clicks',
    what: `logs ${CLICKS_PER_SECOND} clicks a second`,
    async run(abuser) {
      const clients = Array.from({ length: 16 }, () => abuser.client())
      const running = new Set<Promise<unknown>>()
      const body = { search_log_id: 'unknown', action: 'click', product_id: 'p', section: 'products' }
      for (let n = 0; !abuser.isOver; n++) {
        const one = abuser.send(clients[n % clients.length], {
          method: 'POST',
          path: '/api/knowledge/search/clicks',
          body,
        })
        running.add(one)
        void one.finally(() => running.delete(one))
        if (n % 10 === 9) await sleep((10 * 1_000) / CLICKS_PER_SECOND)
      }
      await Promise.all(running)
    },
  },
  {
    name: 'clicks-flood',
    what: 'logs clicks as fast as it can, 32 connections',
    run: (abuser) =>
      abuser.flood(32, (n) => ({
        method: 'POST',
        path: '/api/knowledge/search/clicks',
        body: {
          search_log_id: `search-${n}`,
          action: 'a'.repeat(50),
          product_id: 'p'.repeat(200),
          section: 's'.repeat(50),
        },
      })),
  },
  {
    name: 'embedding-queue',
    what: 'stores up to 2,000 entries of 100,000 characters, whose vectors are made later',
    mostSeconds: 60,
    async run(abuser, { category }) {
      const content = abuser.words(11_200).slice(0, 100_000)
      const lines = Array.from({ length: 20 }, (_, n) =>
        JSON.stringify({ title: `Queued ${n}`, content, category_id: category, language: 'en' }),
      )
      const numbers = Array.from({ length: abuser.size(100) }, (_, n) => n)
      const headers = { 'content-type': 'application/x-ndjson' }
      await abuser.each(numbers, 4, (client) =>
        abuser.send(client, { method: 'POST', path: `${ENTRIES}/bulk`, headers, body: `${lines.join('\n')}\n` }),
      )
      // Stored entries are found only once their vectors exist.
      while (!abuser.isOver) await sleep(100)
      abuser.extend(5_000)
      await abuser.flood(1, () => ({ method: 'POST', path: `${ENTRIES}/search`, body: { query: 'queued', limit: 1 } }))
    },
  },
])

export const ANALYTICS = prepared(
  { name: 'analytics', tenantSettings: { clickLearning: 'true' } },
  async (abuser) => {
    const count = abuser.size(SEARCHES)
    const { tenant, place } = abuser.target
    const now = Date.now()
    const visits = visitsFrom(now - 80 * DAY_MS, now, count)
    const database = openDatabase(place)
    try {
      for (let n = 0; n < count; n += 2_000) {
        const batch = Array.from({ length: Math.min(2_000, count - n) }, () => visits.next())
        await writeBatch(database, {
          searches: batch.map(({ search }) => ({ ...search, tenant_id: tenant })),
          clicks: batch.flatMap(({ click }) => (click === null ? [] : [{ ...click, tenant_id: tenant }])),
        })
      }
    } finally {
      await database.close()
    }
    return new Date(now - 80 * DAY_MS).toISOString()
  },
  [
    {
      name: 'analytics',
      what: `asks for the analytics of ${SEARCHES.toLocaleString('en')} searches in 80 days, 8 connections`,
      mostSeconds: 30,
      run: (abuser, from) =>
        abuser.flood(8, (n) => ({ path: `/api/knowledge/analytics/search?from=${from}&limit=${1 + (n % 100)}` })),
    },
  ],
)
