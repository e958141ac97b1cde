import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isThoroughOn, onEachDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { isWhole } from '../support/tier.ts'
import { ask, each } from './answers.ts'
import { sees, VISIBILITIES } from './model.ts'
import { probesOf } from './probes.ts'
import { type Asker, buildRealm, COMMON_WORD, ENTRIES, type Realm, seenBy } from './world.ts'

/**
 * Names of askers of different kinds: a reader, a writer with a user, and one at each end of what a key without a user
 * may see.
 */
const FEW = new Set(['reader', 'editor', 'key up to community', 'key up to workspace'])

onEachDatabase('what writes do to entries that their caller does not see', (kind) => {
  /** Whether every asker asks. If not, a few ask, which run the same statements. */
  const isThorough = isThoroughOn(kind)
  let service: TestService
  let realms: Realm[]

  before(async () => {
    service = await TestService.start(kind)
    realms = [await buildRealm(service, 'open', false), await buildRealm(service, 'crews', true)]
  })
  after(() => service.stop())

  const writers = (): { realm: Realm; asker: Asker }[] =>
    realms.flatMap((realm) =>
      realm.askers
        .filter((asker) => asker.can.has('knowledge:write') && (isThorough || FEW.has(asker.name)))
        .map((asker) => ({ realm, asker })),
    )

  test('no caller can write at a level that they do not see, through any route', async () => {
    await each(writers(), async ({ realm, asker }) => {
      const { ids, membersOnly } = realm
      const fields = { title: 'Neu', content: 'Neues', category_id: ids.category_id, workspace_id: ids.workspace_id }
      const post = (path: string, body: object) => ask(service, asker, { method: 'POST', path, body })
      const mine: string = (await post(ENTRIES, { ...fields, visibility: 'public' })).json.id
      for (const visibility of VISIBILITIES) {
        const isGiven = visibility !== 'personal'
        const entry = { visibility, ownerId: asker.userId ?? '', workspaceId: ids.workspace_id }
        const may = isGiven && sees(asker, entry, membersOnly)
        const body = { ...fields, visibility }
        const name = `${visibility} by ${asker.name} in ${realm.tenant}`
        const refused = isGiven ? 403 : 422
        const created = await post(ENTRIES, body)
        assert.equal(created.status, may ? 201 : refused, name)
        const line = await ask(service, asker, { method: 'POST', path: `${ENTRIES}/bulk`, body, ndjson: true })
        assert.equal(line.json.status, may ? 'created' : 'failed', name)
        const moved = await ask(service, asker, { method: 'PATCH', path: `${ENTRIES}/${mine}`, body: { visibility } })
        assert.equal(moved.status, may ? 200 : refused, name)
      }
    })
  })

  test('a private note needs a user, and only that user can read it, with the scope for private notes', async () => {
    await each(
      realms.flatMap((realm) => realm.askers.map((asker) => ({ realm, asker }))),
      async ({ realm, asker }) => {
        if (!asker.can.has('knowledge:personal')) return
        const body = { title: 'Notiz', content: 'Geheim', category_id: realm.ids.category_id }
        const note = await ask(service, asker, { method: 'POST', path: `${ENTRIES}/personal`, body })
        assert.equal(note.status, asker.userId === null ? 403 : 201, asker.name)
        if (asker.userId === null) return
        const readers = realm.askers.filter((reader) => reader.can.has('knowledge:read'))
        await each(readers, async (reader) => {
          const read = await ask(service, reader, { method: 'GET', path: `${ENTRIES}/${note.json.id}` })
          const isOwner = reader.userId === asker.userId && reader.can.has('knowledge:personal')
          assert.equal(read.status, isOwner ? 200 : 404, `${asker.name}'s by ${reader.name}`)
        })
      },
    )
  })

  test('a line with the source_reference of a hidden entry creates a new entry, and does not touch the hidden one', async () => {
    await each(writers(), async ({ realm, asker }) => {
      const seen = new Set(seenBy(realm, asker).map((subject) => subject.id))
      for (const subject of realm.subjects.filter(({ id }) => !seen.has(id))) {
        const reference = `quelle/${subject.name}`
        const line = { title: 'X', content: 'Y', category_id: realm.ids.category_id, visibility: 'public' }
        const send = (source: string) =>
          ask(service, asker, {
            method: 'POST',
            path: `${ENTRIES}/bulk`,
            body: {
              ...line,
              visibility: asker.ceiling,
              workspace_id: realm.ids.workspace_id,
              source_reference: source,
            },
            ndjson: true,
          })
        const row = () =>
          service.database.queries.selectFrom('entries').selectAll().where('id', '=', subject.id).executeTakeFirst()
        const before = await row()
        const [ofHidden, ofNobody] = [await send(reference), await send(`${reference} of nobody ${asker.name}`)]
        // An asker with the same ceiling may have come before; then that entry is replaced.
        const { id, status } = ofHidden.json
        assert.ok(ofNobody.json.status === 'failed' ? status === 'failed' : id !== subject.id, JSON.stringify(ofHidden))
        assert.deepEqual(await row(), before)
      }
    })
  })

  test('hidden entries do not change a byte of any answer, including scores and explanations', async () => {
    for (const realm of realms) {
      const hiddenFrom = realm.askers.filter((asker) => !seenByAll(realm, asker))
      // Each probes hundreds of answers. On the second database one of them runs every statement.
      const few = isThorough ? FEW : new Set(['reader'])
      const lowly = isWhole ? hiddenFrom : hiddenFrom.filter(({ name }) => few.has(name))
      const probe = () => each(lowly, (asker) => each(probesOf(realm), (question) => ask(service, asker, question)))
      const before = await probe()
      const hidden = await hide(realm)
      assertSame(lowly, before, await probe())
      await each(hidden, (id, i) =>
        i % 2 === 0
          ? ask(service, realm.owner, { method: 'DELETE', path: `${ENTRIES}/${id}` })
          : ask(service, realm.owner, {
              method: 'PATCH',
              path: `${ENTRIES}/${id}`,
              body: { content: `${COMMON_WORD} `.repeat(i) },
            }),
      )
      assertSame(lowly, before, await probe())
    }
  })

  /** Adds entries that only the owner and administrators see, wherever the probes look. */
  const hide = async (realm: Realm): Promise<string[]> => {
    const { ids, group, owner } = realm
    const numbers = Array.from({ length: 40 }, (_, i) => i)
    const hidden = await each(numbers, async (i) => {
      const body = {
        title: `${COMMON_WORD} ${i}`,
        content: `${COMMON_WORD} auf der Insel, mehr Text. `.repeat(1 + (i % 5)),
        category_id: ids.category_id,
        tags: ['insel'],
        layer: 'küste',
        search_keywords: [COMMON_WORD],
        ...(i % 3 === 0 ? {} : { visibility: 'restricted', translation_group_id: group, language: 'en' }),
      }
      const path = i % 3 === 0 ? `${ENTRIES}/personal` : ENTRIES
      const created = await ask(service, owner, { method: 'POST', path, body })
      assert.equal(created.status, 201, created.text)
      return created.json.id as string
    })
    for (const place of [`projects/${ids.project_id}/entries`, `sites/${ids.site_id}/knowledge`]) {
      const path = `/api/knowledge/${place}`
      const answer = await ask(service, owner, { method: 'POST', path, body: { entry_ids: hidden } })
      assert.equal(answer.json.added, 40)
    }
    return hidden
  }
})

function seenByAll(realm: Realm, asker: Asker): boolean {
  return asker.ceiling === 'restricted' || asker.userId === realm.owner.userId
}

function assertSame(
  askers: readonly Asker[],
  before: readonly (readonly { bytes: string }[])[],
  now: readonly (readonly { bytes: string }[])[],
): void {
  for (const [i, asker] of askers.entries()) {
    for (const [j, { bytes }] of now[i].entries()) assert.equal(bytes, before[i][j].bytes, asker.name)
  }
}
