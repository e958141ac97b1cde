import type { Insertable } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'
import type { EntryRow, Tables } from '../../src/platform/database/tables.ts'
import { copyToBin } from '../../src/knowledge/entries/bin/bin-store.ts'
import { newId } from '../../src/platform/ids.ts'
import { ENTRIES, type Asker, type Realm, type Subject } from './world.ts'
import { sees } from './model.ts'
import type { Ids, Row } from './rows.ts'

const FAR_AWAY = 8_640_000_000_000_000

/** One caller who asks one route for one entry. */
interface Cell {
  readonly asker: Asker
  readonly subject: Subject
  readonly isSeen: boolean
  readonly ids: Ids
}

/**
 * Returns every asker with the row's scopes, combined with every entry whose level never changed. Scopes and histories
 * have their own tests.
 */
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
 * Gives each cell of a writing route its own copy of the entry, and its own project or site with all entries, so that
 * cells do not disturb each other.
 */
export async function prepareCells(
  database: Database,
  realm: Realm,
  cells: readonly Cell[],
  route: string,
): Promise<Cell[]> {
  if (route.startsWith('GET ')) return [...cells]
  const isMember = route.startsWith('DELETE ')
  const isInBin = route.includes('/bin/')
  const rows = await database.queries.selectFrom('entries').selectAll().where('tenant_id', '=', realm.tenant).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const named = { tenant_id: realm.tenant, name: 'Eigenes', description: null, created_at: 0, updated_at: 0 }
  const site = await database.queries
    .selectFrom('sites')
    .selectAll()
    .where('id', '=', realm.ids.site_id)
    .executeTakeFirstOrThrow()
  const entries: EntryRow[] = []
  const projects: Insertable<Tables['projects']>[] = []
  const sites: Insertable<Tables['sites']>[] = []
  const inProjects: Insertable<Tables['project_entries']>[] = []
  const inSites: Insertable<Tables['site_entries']>[] = []
  const prepared = cells.map((cell): Cell => {
    const entryId = newId()
    entries.push({ ...byId.get(cell.subject.id)!, id: entryId })
    let { project_id: projectId, site_id: siteId } = realm.ids
    const members = [...realm.subjects.map((subject) => subject.id), ...(isMember ? [entryId] : [])]
    const memberships = members.map((id) => ({ tenant_id: realm.tenant, entry_id: id }))
    if (route.includes('{site_id}')) {
      siteId = newId()
      sites.push({ ...site, id: siteId, slug: siteId })
      inSites.push(...memberships.map((one) => ({ ...one, site_id: siteId })))
    } else if (!isInBin && !route.includes(ENTRIES)) {
      projectId = newId()
      projects.push({ ...named, id: projectId })
      inProjects.push(...memberships.map((one) => ({ ...one, project_id: projectId })))
    }
    return { ...cell, ids: { ...cell.ids, entry_id: entryId, project_id: projectId, site_id: siteId } }
  })
  await database.write(async (tx) => {
    if (isInBin) await copyToBin(tx, entries, { deletedAt: 0, purgeAt: FAR_AWAY, userId: null })
    else await tx.insertInto('entries').values(entries).execute()
    if (projects.length > 0) await tx.insertInto('projects').values(projects).execute()
    if (sites.length > 0) await tx.insertInto('sites').values(sites).execute()
    if (inProjects.length > 0) await tx.insertInto('project_entries').values(inProjects).execute()
    if (inSites.length > 0) await tx.insertInto('site_entries').values(inSites).execute()
  })
  return prepared
}

/**
 * Returns what a refused call of each cell must not change: the entry, also in the bin, and its membership in the
 * cell's project or site.
 */
export async function statesOf(
  { queries }: Database,
  tenantId: string,
  cells: readonly { readonly ids: Ids }[],
): Promise<string[]> {
  const named = (name: keyof Ids): string[] => [...new Set(cells.map(({ ids }) => ids[name]))]
  const [entries, binned, inProjects, inSites] = await Promise.all([
    queries
      .selectFrom('entries')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', named('entry_id'))
      .execute(),
    queries
      .selectFrom('binned_entries')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', named('entry_id'))
      .execute(),
    queries
      .selectFrom('project_entries')
      .select(['project_id', 'entry_id'])
      .where('tenant_id', '=', tenantId)
      .where('project_id', 'in', named('project_id'))
      .orderBy('entry_id')
      .execute(),
    queries
      .selectFrom('site_entries')
      .select(['site_id', 'entry_id'])
      .where('tenant_id', '=', tenantId)
      .where('site_id', 'in', named('site_id'))
      .orderBy('entry_id')
      .execute(),
  ])
  const byId = Map.groupBy([...entries, ...binned], (row) => row.id)
  const byProject = Map.groupBy(inProjects, (row) => row.project_id)
  const bySite = Map.groupBy(inSites, (row) => row.site_id)
  return cells.map(({ ids }) =>
    JSON.stringify([byId.get(ids.entry_id), byProject.get(ids.project_id), bySite.get(ids.site_id)]),
  )
}
