import type { Database } from '../../src/database/database.ts'
import { newId } from '../../src/ids.ts'
import { ENTRIES, type Asker, type Realm, type Subject } from './world.ts'
import { sees } from './model.ts'
import type { Ids, Row } from './rows.ts'

/** One caller asking a route for one entry. */
interface Cell {
  readonly asker: Asker
  readonly subject: Subject
  readonly isSeen: boolean
  readonly ids: Ids
}

/** Everybody who has the row's scopes, with every entry that never changed its level; scopes and histories have tests of their own. */
export function cellsOf(realm: Realm, row: Row): Cell[] {
  const subjects = realm.subjects.filter((subject) => subject.visibility === subject.first.visibility)
  return realm.askers
    .filter((asker) => row.scopes.every((scope) => asker.can.has(scope)))
    .flatMap((asker) =>
      subjects.map((subject) => ({
        asker,
        subject,
        isSeen: sees(asker, subject, realm.membersOnly),
        ids: { ...realm.ids, entry_id: subject.id, category_id: subject.categoryId },
      })),
    )
}

/**
 * Gives each cell of a route that changes something a copy of its entry and a project or site of
 * its own with all entries in it, so that cells do not disturb each other.
 */
export async function prepareCells(
  database: Database,
  realm: Realm,
  cells: readonly Cell[],
  route: string,
): Promise<Cell[]> {
  if (route.startsWith('GET ')) return [...cells]
  const isMember = route.startsWith('DELETE ')
  const rows = await database.queries.selectFrom('entries').selectAll().where('tenant_id', '=', realm.tenant).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const named = { tenant_id: realm.tenant, name: 'Eigenes', description: null, created_at: 0, updated_at: 0 }
  const site = await database.queries
    .selectFrom('sites')
    .selectAll()
    .where('id', '=', realm.ids.site_id)
    .executeTakeFirstOrThrow()
  return database.write(async (tx) => {
    const prepared: Cell[] = []
    for (const cell of cells) {
      const entryId = newId()
      await tx
        .insertInto('entries')
        .values({ ...byId.get(cell.subject.id)!, id: entryId })
        .execute()
      let { project_id: projectId, site_id: siteId } = realm.ids
      const members = [...realm.subjects.map((subject) => subject.id), ...(isMember ? [entryId] : [])]
      if (route.includes('{site_id}')) {
        siteId = newId()
        await tx
          .insertInto('sites')
          .values({ ...site, id: siteId, slug: siteId })
          .execute()
        const memberships = members.map((id) => ({ tenant_id: realm.tenant, site_id: siteId, entry_id: id }))
        await tx.insertInto('site_entries').values(memberships).execute()
      } else if (!route.includes(ENTRIES)) {
        projectId = newId()
        await tx
          .insertInto('projects')
          .values({ ...named, id: projectId })
          .execute()
        const memberships = members.map((id) => ({ tenant_id: realm.tenant, project_id: projectId, entry_id: id }))
        await tx.insertInto('project_entries').values(memberships).execute()
      }
      prepared.push({ ...cell, ids: { ...cell.ids, entry_id: entryId, project_id: projectId, site_id: siteId } })
    }
    return prepared
  })
}

/** What a refused call must leave as it is: the entry and its place in the cell's project or site. */
export async function stateOf({ queries }: Database, tenantId: string, ids: Ids): Promise<string> {
  const [entry, ...members] = await Promise.all([
    queries
      .selectFrom('entries')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', '=', ids.entry_id)
      .execute(),
    queries
      .selectFrom('project_entries')
      .select('entry_id')
      .where('tenant_id', '=', tenantId)
      .where('project_id', '=', ids.project_id)
      .orderBy('entry_id')
      .execute(),
    queries
      .selectFrom('site_entries')
      .select('entry_id')
      .where('tenant_id', '=', tenantId)
      .where('site_id', '=', ids.site_id)
      .orderBy('entry_id')
      .execute(),
  ])
  return JSON.stringify([entry, members])
}
