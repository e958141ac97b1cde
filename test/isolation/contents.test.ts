import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { copyToBin } from '../../src/knowledge/entries/bin/bin-store.ts'
import { newId } from '../../src/platform/ids.ts'
import { isThoroughOn, onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { ask, each, type Question } from './answers.ts'
import { sees, VISIBILITIES } from './model.ts'
import { assertUntouched } from './tables.ts'
import { type Asker, buildRealm, COMMON_WORD, ENTRIES, type Realm, seenBy, type Subject } from './world.ts'

const FAR_AWAY = 8_640_000_000_000_000
/**
 * Names of askers of different kinds: a member of the workspace, a stranger to it, no user, and one with fewer scopes.
 */
const FEW = new Set(['member', 'editor', 'key up to community', 'owner narrowed to reading'])
const MODES = ['semantic', 'keyword', 'hybrid'] as const

onAnyDatabase('what answers contain', (kind) => {
  /** Whether every asker asks. If not, a few ask, which run the same statements. */
  const isThorough = isThoroughOn(kind)
  let service: TestService
  let realms: Realm[]

  before(async () => {
    service = await TestService.start(kind, { RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '0' })
    realms = [await buildRealm(service, 'open', false), await buildRealm(service, 'crews', true)]
    await buildRealm(service, 'far', false)
  })
  after(() => service.stop())

  const get = (asker: Asker, path: string) => ask(service, asker, { method: 'GET', path })
  const search = (asker: Asker, body: object) => ask(service, asker, searchQuestion(body))

  /** Calls `check` for the askers who may read, in both realms. */
  const eachReader = async (check: (asker: Asker, realm: Realm, seen: Subject[]) => Promise<void>): Promise<void> => {
    for (const realm of realms) {
      const askers = isThorough ? realm.askers : realm.askers.filter(({ name }) => FEW.has(name))
      await each(askers, (asker) => check(asker, realm, seenBy(realm, asker)))
    }
  }

  test('lists and their counts have exactly what the caller sees, under every filter', () =>
    eachReader(async (asker, { ids, subjects }, seen) => {
      const list = async (query: string, expected: Subject[]): Promise<void> => {
        const answer = await get(asker, `${ENTRIES}?include_total=true&${query}`)
        assertHolds(answer.json, expected, `${asker.name} ${query}`)
        assert.equal(answer.headers.get('x-total-count'), String(expected.length), `${asker.name} ${query}`)
        assert.equal(answer.headers.get('link'), null)
      }
      await list('', seen)
      for (const query of [
        `project_id=${ids.project_id}`,
        `site_id=${ids.site_id}`,
        'tag=insel',
        'layer=küste',
        'type=knowledge',
      ]) {
        await list(query, seen)
      }
      for (const visibility of VISIBILITIES) {
        const chosen = seen.filter((subject) => subject.visibility === visibility)
        await list(`visibility=${visibility}`, chosen)
      }
      for (const { id, categoryId } of subjects) {
        const chosen = seen.filter((subject) => subject.id === id)
        await list(`category_id=${categoryId}`, chosen)
      }
    }))

  test('a site lists those of its entries that the caller sees, page by page', () =>
    eachReader(async (asker, { ids }, seen) => {
      if (!asker.can.has('sites:read')) return
      const path = `/api/knowledge/sites/${ids.site_id}/knowledge`
      const all = await get(asker, path)
      assertHolds(all.json, seen, asker.name)
      for (const limit of [1, seen.length - 1, seen.length].filter((n) => n > 0)) {
        const { json, headers } = await get(asker, `${path}?limit=${limit}`)
        assert.deepEqual(json, all.json.slice(0, limit))
        assert.equal(headers.get('link') !== null, limit < seen.length, `${asker.name} of ${seen.length}, ${limit}`)
      }
    }))

  test('the bin lists what the caller would see of it, page by page', async () => {
    const nameOf = new Map<string, string>()
    for (const { tenant, subjects } of realms) {
      const { queries } = service.database
      const rows = await queries.selectFrom('entries').selectAll().where('tenant_id', '=', tenant).execute()
      const copies = rows.map((row) => ({ ...row, id: newId() }))
      for (const [i, { id }] of copies.entries()) {
        nameOf.set(id, subjects.find((subject) => subject.id === rows[i].id)!.name)
      }
      await service.database.write((tx) => copyToBin(tx, copies, { deletedAt: 1, purgeAt: FAR_AWAY, userId: null }))
    }
    await eachReader(async (asker, _realm, seen) => {
      if (!asker.can.has('knowledge:delete')) return
      const names = ({ json }: { json: { id: string }[] }) => json.map(({ id }) => nameOf.get(id) ?? `foreign ${id}`)
      const all = await get(asker, '/api/knowledge/bin')
      assert.deepEqual(names(all).sort(), seen.map(({ name }) => name).sort(), asker.name)
      for (const limit of [1, seen.length].filter((n) => n > 0)) {
        const { json, headers } = await get(asker, `/api/knowledge/bin?limit=${limit}`)
        assert.deepEqual(json, all.json.slice(0, limit))
        assert.equal(headers.get('link') !== null, limit < seen.length, asker.name)
      }
    })
  })

  test('an entry is found by its source reference by those who see it', () =>
    eachReader(async (asker, { subjects }, seen) => {
      for (const { id, name } of subjects) {
        const reference = encodeURIComponent(`quelle/${name}`)
        const answer = await get(asker, `${ENTRIES}/by-source?source_reference=${reference}`)
        const isSeen = seen.some((subject) => subject.id === id)
        assert.equal(answer.status, isSeen ? 200 : 404, `${name} by ${asker.name}`)
        if (isSeen) assert.equal(answer.json.id, id)
        const listed = await get(asker, `${ENTRIES}?source_reference=${reference}&include_total=true`)
        assert.deepEqual(
          [listed.json.length, listed.headers.get('x-total-count')],
          isSeen ? [1, '1'] : [0, '0'],
          `${name} by ${asker.name}`,
        )
      }
    }))

  test('the last page ends with the last entry that the caller sees', () =>
    eachReader(async (asker, _realm, seen) => {
      for (const limit of [1, seen.length - 1, seen.length].filter((n) => n > 0)) {
        const { json, headers } = await get(asker, `${ENTRIES}?limit=${limit}`)
        assert.equal(json.length, Math.min(limit, seen.length))
        assert.equal(headers.get('link') !== null, limit < seen.length, `${asker.name} of ${seen.length}, ${limit}`)
      }
    }))

  test('searches find what the caller sees, in every mode and under every filter', () =>
    eachReader(async (asker, { ids, subjects }, seen) => {
      for (const mode of MODES) {
        const find = async (filter: object, expected: Subject[]): Promise<void> => {
          const { json } = await search(asker, { mode, limit: 100, ...filter })
          const hits = json.map((hit: { entry: { id: string } }) => hit.entry)
          assertHolds(hits, expected, `${asker.name} ${mode} ${JSON.stringify(filter)}`)
        }
        await find({}, seen)
        await find({ project_id: ids.project_id, tags: ['insel'], layer: 'küste' }, seen)
        await find({ site_id: ids.site_id }, seen)
        await find({ category_id: ids.parent_id, include_descendants: true }, seen)
        await find(
          { category_id: subjects[4].categoryId },
          seen.filter((subject) => subject === subjects[4]),
        )
        for (const visibility of VISIBILITIES) {
          await find(
            { visibility },
            seen.filter((subject) => subject.visibility === visibility),
          )
        }
      }
    }))

  test('cursors lead through what the caller sees, and one of another caller or tenant leads nowhere else', async () => {
    const LIMIT = 2
    const page = async (asker: Asker, cursor: string | undefined) => {
      const body = {
        query: COMMON_WORD,
        sections: ['knowledge'],
        knowledge: { limit: LIMIT, cursor },
        include_total: true,
      }
      const { status, json, text } = await ask(service, asker, { method: 'POST', path: '/api/knowledge/search', body })
      assert.equal(status, 200, text)
      const [{ hits, total, next_cursor: next }] = json.sections
      return {
        entries: hits.map(({ entry }: { entry: { id: string } }) => entry) as { id: string; tenant_id: string }[],
        total: total as number,
        next: next as string | null,
      }
    }
    /** Returns the cursors that an asker who sees all public entries gets, from the first page on. */
    const cursorsOf = async (asker: Asker): Promise<string[]> => {
      const cursors: string[] = []
      for (let next = (await page(asker, undefined)).next; next !== null; next = (await page(asker, next)).next) {
        cursors.push(next)
      }
      return cursors
    }
    const foreign = await Promise.all(realms.map((realm) => cursorsOf(realm.owner)))
    assert.ok(foreign.every((cursors) => cursors.length > 3))
    const readers = realms.flatMap((realm) => [...realm.askers, realm.visitor].map((asker) => ({ asker, realm })))
    await each(readers, async ({ asker, realm }) => {
      const seen = seenBy(realm, asker)
      const whole: { id: string; tenant_id: string }[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const { entries, total, next } = await page(asker, cursor)
        assert.equal(total, seen.length, asker.name)
        whole.push(...entries)
        cursor = next
      }
      assertHolds(whole, seen, asker.name)
      for (const cursors of foreign) {
        for (const [i, cursor] of cursors.entries()) {
          const { entries } = await page(asker, cursor)
          const from = (i + 1) * LIMIT
          assert.deepEqual(entries, whole.slice(from, from + LIMIT), `${asker.name}, page ${i + 2}`)
        }
      }
    })
  })

  test('a visitor of a page finds what is public, on the sites of the publishable key alone, in every mode', async () => {
    for (const realm of realms) {
      const { visitor, siteVisitors, ids, subjects } = realm
      const published = seenBy(realm, visitor)
      assert.ok(published.length > 1 && published.length < subjects.length)
      for (const mode of MODES) {
        const find = async (asker: Asker, filter: object, expected: readonly Subject[]): Promise<void> => {
          const { json } = await search(asker, { mode, limit: 100, ...filter })
          assertHolds(
            json.map((hit: { entry: object }) => hit.entry),
            expected,
            `${asker.name} ${mode} ${JSON.stringify(filter)}`,
          )
          const combined = { query: COMMON_WORD, mode, limit: 100, sections: ['knowledge', 'products'] }
          const both = (await ask(service, asker, { method: 'POST', path: '/api/knowledge/search', body: combined }))
            .json
          const [knowledge, products] = both.sections
          assert.equal(products.hits.length > 0, asker !== siteVisitors.empty, `products for ${asker.name}`)
          if (Object.keys(filter).length > 0) return
          assertHolds(
            knowledge.hits.map((hit: { entry: object }) => hit.entry),
            expected,
            `${asker.name} ${mode} combined`,
          )
        }
        await find(visitor, {}, published)
        await find(visitor, { site_id: ids.site_id }, published)
        await find(siteVisitors.full, {}, published)
        await find(siteVisitors.full, { site_id: ids.site_id }, published)
        await find(siteVisitors.full, { visibility: 'internal' }, [])
        await find(siteVisitors.empty, {}, [])
        await find(siteVisitors.empty, { project_id: ids.project_id, tags: ['insel'] }, [])
      }
    }
  })

  test('suggestions to a visitor come from the sites of the publishable key alone', async () => {
    for (const { visitor, siteVisitors } of realms) {
      const suggested = async (asker: Asker): Promise<object> =>
        (await get(asker, '/api/knowledge/suggest?q=Leucht')).json
      const all = await suggested(visitor)
      assert.ok((all as { products: object[] }).products.length > 0)
      assert.deepEqual(await suggested(siteVisitors.full), all)
      assert.deepEqual(await suggested(siteVisitors.empty), {
        completions: [],
        brands: [],
        categories: [],
        products: [],
      })
    }
  })

  test('a translation group is represented by a member that the caller sees', () =>
    eachReader(async (asker, { group }, seen) => {
      for (const mode of MODES) {
        const { json } = await search(asker, { mode, limit: 100, group_translations: true })
        const ids: string[] = json.map((hit: { entry: { id: string } }) => hit.entry.id)
        const visible = new Set(seen.map((subject) => subject.id))
        assert.deepEqual(
          ids.filter((id) => !visible.has(id)),
          [],
        )
        const groups = json.map((hit: { entry: { translation_group_id: string } }) => hit.entry.translation_group_id)
        assert.equal(new Set(groups).size, groups.length)
        assert.ok(groups.includes(group))
      }
    }))

  test('an entry lists the translations and neighbours that the caller sees', () =>
    eachReader(async (asker, { subjects, group }, seen) => {
      const inGroup = await groupOf(group)
      const [anchor] = subjects
      const translations = seen.filter(({ id }) => id !== anchor.id && inGroup.has(id))
      const answer = await get(asker, `${ENTRIES}/${anchor.id}/translations`)
      assertHolds(answer.json, translations, asker.name)
      const near = await get(asker, `${ENTRIES}/${anchor.id}/related?limit=100`)
      const neighbours = near.json.map((hit: { entry: { id: string } }) => hit.entry)
      assertHolds(
        neighbours,
        seen.filter(({ id }) => !inGroup.has(id)),
        asker.name,
      )
    }))

  const groupOf = async (group: string): Promise<Set<string>> => {
    const rows = await service.database.queries
      .selectFrom('entries')
      .select('id')
      .where('translation_group_id', '=', group)
      .execute()
    return new Set(rows.map((row) => row.id))
  }

  test('an earlier version is shown to those who could see it then', () =>
    eachReader(async (asker, { membersOnly }, seen) => {
      for (const { id, first, name } of seen) {
        const sawFirst = sees(asker, first, membersOnly)
        const versions = await get(asker, `${ENTRIES}/${id}/versions`)
        const numbers = versions.json.map((version: { version: number }) => version.version)
        assert.deepEqual(numbers, sawFirst ? [2, 1] : [2], `${name} by ${asker.name}`)
        const one = await get(asker, `${ENTRIES}/${id}/versions/1`)
        assert.equal(one.status, sawFirst ? 200 : 404, `${name} by ${asker.name}`)
        if (sawFirst) assert.equal(one.json.visibility, first.visibility)
        else assert.equal(one.bytes, (await get(asker, `${ENTRIES}/${id}/versions/99`)).bytes)
      }
    }))

  test('categories, projects, workspaces, sites and products are those of the tenant', () =>
    eachReader(async (asker, { tenant }) => {
      const shop = asker.can.has('products:read') ? ['sites', 'products', 'products?site_id=laden'] : []
      for (const kindOf of ['categories', 'projects', 'workspaces', ...shop]) {
        const { json } = await get(asker, `/api/knowledge/${kindOf}`)
        assert.ok(json.length > 0)
        assert.deepEqual([...new Set(json.map((one: { tenant_id: string }) => one.tenant_id))], [tenant])
      }
    }))

  test('a refusal to delete something with entries is the same for visible and hidden entries', async () => {
    for (const realm of realms) {
      await assertUntouched(service.database, [realm.tenant], () =>
        eachReader(async (asker, { subjects, ids }) => {
          const remove = (path: string) => ask(service, asker, { method: 'DELETE', path: `/api/knowledge/${path}` })
          if (asker.can.has('categories:write')) {
            const answers = await each(subjects.slice(0, 8), (subject) => remove(`categories/${subject.categoryId}`))
            assert.deepEqual([...new Set(answers.map((answer) => answer.bytes))], [answers[0].bytes], asker.name)
            assert.equal(answers[0].status, 409)
          }
          if (asker.can.has('tenant:admin')) {
            assert.equal((await remove(`workspaces/${ids.workspace_id}`)).status, 409)
            assert.equal((await remove(`sites/${ids.site_id}`)).status, 409)
          }
        }),
      )
    }
  })

  function assertHolds(entries: { id: string; tenant_id: string }[], expected: readonly Subject[], name: string): void {
    const namesById = new Map(realms.flatMap(({ subjects }) => subjects).map((subject) => [subject.id, subject.name]))
    const names = entries.map(({ id }) => namesById.get(id) ?? `foreign ${id}`)
    assert.deepEqual(names.sort(), expected.map((subject) => subject.name).sort(), name)
  }
})

function searchQuestion(body: object): Question {
  return { method: 'POST', path: `${ENTRIES}/search`, body: { query: COMMON_WORD, ...body } }
}
