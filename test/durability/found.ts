import assert from 'node:assert/strict'
import type { Database } from '../../src/platform/database/database.ts'
import type { ServiceProcess } from './service-process.ts'
import { ENTRIES } from './write-stream.ts'

const PAGE = 100

/**
 * Fails unless keyword search and search by meaning both find exactly the entries with the tags, each with its title in
 * `titles`.
 */
export async function assertFound(
  service: ServiceProcess,
  { queries }: Database,
  titles: ReadonlyMap<string, string>,
  tags: readonly string[],
): Promise<void> {
  const rows = await queries.selectFrom('entries').select(['id', 'tags']).execute()
  for (const tag of tags) {
    const tagged = rows.filter((row) => (JSON.parse(row.tags) as string[]).includes(tag))
    const expected = tagged.map(({ id }) => [id, titles.get(id)]).sort()
    for (const mode of ['keyword', 'semantic']) {
      assert.deepEqual((await allHits(service, tag, mode)).sort(), expected, `${mode} search for what has ${tag}`)
    }
  }
}

async function allHits(service: ServiceProcess, tag: string, mode: string): Promise<(string | undefined)[][]> {
  const hits: string[][] = []
  for (;;) {
    const body = { query: 'ledger', tags: [tag], mode, limit: PAGE, offset: hits.length }
    const answer = await service.call('POST', `${ENTRIES}/search`, { body })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const page = (answer.body as { entry: { id: string; title: string } }[]).map(({ entry }) => [entry.id, entry.title])
    hits.push(...page)
    if (page.length < PAGE) return hits
  }
}
