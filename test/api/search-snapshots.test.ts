import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Service } from '../../src/server.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { found, until } from '../support/patience.ts'

const ENTRIES = 300
const SEARCH = '/api/knowledge/knowledge-entries/search'

onAnyDatabase('search indexes that are kept on disk', (kind) => {
  let service: TestService
  let folder: string
  const others: Service[] = []

  before(async () => {
    service = await TestService.start(kind)
    folder = join(service.place.options.dataDir, 'search-snapshots')
    const category_id = await service.category()
    const lines = Array.from({ length: ENTRIES }, (_, i) =>
      JSON.stringify({ type: 'knowledge', title: `Lamp ${i}`, content: `Lamp number ${i} is blue`, category_id }),
    )
    const { status } = await service.call('POST', '/api/knowledge/knowledge-entries/bulk', {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.equal(status, 200)
    assert.equal((await search()).length, 20)
  })
  after(async () => {
    for (const other of others) await other.stop()
    await service.stop()
  })

  const search = async (base?: string): Promise<string[]> => {
    const body = { query: 'blue lamp 7', mode: 'hybrid', limit: 20 }
    const answer = await service.call('POST', SEARCH, { body }, base)
    assert.equal(answer.status, 200)
    return answer.body.map(({ entry, score }: { entry: { id: string }; score: number }) => `${entry.id} ${score}`)
  }
  const metricOf = async (name: string, base: string): Promise<number> => {
    const { body } = await service.call('GET', '/metrics', {}, base)
    return Number(body.match(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (.*)$`, 'm'))[1])
  }
  /**
   * Returns how many indexes came from snapshots and from the database. An index answers searches before it has read
   * its last changes; only then it is counted.
   */
  const builds = async (base: string): Promise<{ snapshot: number; database: number }> => {
    return found(async () => {
      const snapshot = await metricOf('search_index_builds_total{from="snapshot"}', base)
      const database = await metricOf('search_index_builds_total{from="database"}', base)
      return snapshot + database > 0 ? { snapshot, database } : null
    }, 'an index is counted')
  }
  const restarted = async (settings: Readonly<Record<string, string>> = {}): Promise<string> => {
    const other = await service.sibling(settings)
    others.push(other)
    return other.url
  }

  test('a process that starts later answers like the first, from the snapshot that the first has written', async () => {
    const before = await search()
    const isWritten = (): boolean =>
      existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.snapshot'))
    await until(isWritten, 'there is a snapshot')
    assert.deepEqual(await builds(service.service.url), { snapshot: 0, database: 1 })
    const base = await restarted()
    assert.deepEqual(await search(base), before)
    assert.deepEqual(await builds(base), { snapshot: 1, database: 0 })
  })

  test('what was written since is found, and what was deleted since is not', async () => {
    const [{ entry }] = (
      await service.call('POST', SEARCH, { body: { query: 'blue lamp 7', mode: 'keyword', limit: 1 } })
    ).body
    await service.call('DELETE', `/api/knowledge/knowledge-entries/${entry.id}`)
    const category_id = await service.category('Other')
    const body = { type: 'knowledge', title: 'Lamp of glass', content: 'A blue lamp of glass, number 7', category_id }
    await service.call('POST', '/api/knowledge/knowledge-entries', { body })
    const base = await restarted()
    assert.deepEqual(await search(base), await search())
    assert.ok(!(await search(base)).some((each) => each.startsWith(entry.id)))
    assert.deepEqual(await builds(base), { snapshot: 1, database: 0 })
  })

  test('with SEARCH_SNAPSHOT_MB=0 nothing is read or written', async () => {
    const base = await restarted({ SEARCH_SNAPSHOT_MB: '0' })
    assert.deepEqual(await search(base), await search())
    assert.deepEqual(await builds(base), { snapshot: 0, database: 1 })
  })
})
