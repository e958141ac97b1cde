import type { Question } from './answers.ts'

/** One thing of each kind in a tenant; a row's request names those that its route takes. */
export interface Ids {
  readonly entry_id: string
  readonly category_id: string
  readonly parent_id: string
  readonly project_id: string
  readonly workspace_id: string
  readonly user_id: string
}

export interface Row {
  /** The scope the route needs; null for a route without credential. */
  readonly scope: string | null
  readonly query?: (ids: Ids) => Readonly<Record<string, string>>
  readonly body?: (ids: Ids) => object
  readonly ndjson?: boolean
  /** For a route that names an entry: its status for who sees the entry and for who does not. */
  readonly entry?: {
    readonly seen: number
    readonly unseen: 404 | 422
    /** Whether success changes the entry or its place in the project. */
    readonly changes?: true
    /** The answered counts, given how many of the project's other entries the caller sees. */
    readonly counts?: (others: number) => { added: number; removed: number; total: number }
  }
}

const ENTRIES = '/api/knowledge/knowledge-entries'
const CATEGORIES = '/api/knowledge/categories'
const PROJECTS = '/api/knowledge/projects'
const WORKSPACES = '/api/knowledge/workspaces'

const newEntry = ({ category_id, workspace_id }: Ids) => ({ title: 'Neu', content: 'Neues', category_id, workspace_id })
const changedEntry = ({ category_id, workspace_id }: Ids) => ({ title: 'Geändert', category_id, workspace_id })
const read = { scope: 'knowledge:read' }
const readsEntry: Row = { ...read, entry: { seen: 200, unseen: 404 } }
const changesEntry: Row = {
  scope: 'knowledge:write',
  body: changedEntry,
  entry: { seen: 200, unseen: 404, changes: true },
}
const renames = (scope: string): Row => ({ scope, body: () => ({ name: 'Umbenannt' }) })
const writesMembers: Row = { scope: 'tenant:admin', body: ({ user_id }) => ({ user_ids: [user_id] }) }
const changesCategory: Row = { scope: 'categories:write', body: ({ parent_id }) => ({ parent_id }) }
const entryIds = ({ entry_id }: Ids) => ({ entry_ids: [entry_id] })

/** What the isolation tests know of each route; a route that is not here, or is only here, fails them. */
export const ROWS: Readonly<Record<string, Row>> = {
  [`POST ${ENTRIES}`]: { scope: 'knowledge:write', body: newEntry },
  [`GET ${ENTRIES}`]: { ...read, query: ({ category_id, project_id }) => ({ category_id, project_id }) },
  [`POST ${ENTRIES}/personal`]: { scope: 'knowledge:personal', body: newEntry },
  [`GET ${ENTRIES}/{entry_id}`]: readsEntry,
  [`PATCH ${ENTRIES}/{entry_id}`]: changesEntry,
  [`PUT ${ENTRIES}/{entry_id}`]: changesEntry,
  [`DELETE ${ENTRIES}/{entry_id}`]: {
    scope: 'knowledge:delete',
    entry: { seen: 204, unseen: 404, changes: true },
  },
  [`GET ${ENTRIES}/{entry_id}/versions`]: readsEntry,
  [`GET ${ENTRIES}/{entry_id}/versions/{version}`]: readsEntry,
  [`GET ${ENTRIES}/{entry_id}/translations`]: readsEntry,
  [`GET ${ENTRIES}/{entry_id}/related`]: readsEntry,
  [`POST ${ENTRIES}/search`]: {
    ...read,
    body: ({ category_id, project_id }) => ({ query: 'Leuchtturm', mode: 'hybrid', category_id, project_id }),
  },
  [`POST ${ENTRIES}/bulk`]: { scope: 'knowledge:write', body: newEntry, ndjson: true },

  [`POST ${CATEGORIES}`]: { scope: 'categories:write', body: ({ parent_id }) => ({ name: 'Neu', parent_id }) },
  [`GET ${CATEGORIES}`]: { ...read, query: ({ parent_id }) => ({ parent_id }) },
  [`GET ${CATEGORIES}/{category_id}`]: read,
  [`PUT ${CATEGORIES}/{category_id}`]: changesCategory,
  [`PATCH ${CATEGORIES}/{category_id}`]: changesCategory,
  [`DELETE ${CATEGORIES}/{category_id}`]: { scope: 'categories:write' },

  [`POST ${PROJECTS}`]: renames('knowledge:write'),
  [`GET ${PROJECTS}`]: read,
  [`GET ${PROJECTS}/{project_id}`]: read,
  [`PUT ${PROJECTS}/{project_id}`]: renames('knowledge:write'),
  [`PATCH ${PROJECTS}/{project_id}`]: renames('knowledge:write'),
  [`DELETE ${PROJECTS}/{project_id}`]: { scope: 'knowledge:write' },
  [`POST ${PROJECTS}/{project_id}/entries`]: {
    scope: 'knowledge:write',
    body: entryIds,
    entry: {
      seen: 200,
      unseen: 422,
      changes: true,
      counts: (others) => ({ added: 1, removed: 0, total: others + 1 }),
    },
  },
  [`PUT ${PROJECTS}/{project_id}/entries`]: {
    scope: 'knowledge:write',
    body: entryIds,
    entry: { seen: 200, unseen: 422, changes: true, counts: (others) => ({ added: 1, removed: others, total: 1 }) },
  },
  [`DELETE ${PROJECTS}/{project_id}/entries/{entry_id}`]: {
    scope: 'knowledge:write',
    entry: { seen: 204, unseen: 404, changes: true },
  },

  [`POST ${WORKSPACES}`]: renames('tenant:admin'),
  [`GET ${WORKSPACES}`]: read,
  [`GET ${WORKSPACES}/{workspace_id}`]: read,
  [`PUT ${WORKSPACES}/{workspace_id}`]: renames('tenant:admin'),
  [`PATCH ${WORKSPACES}/{workspace_id}`]: renames('tenant:admin'),
  [`DELETE ${WORKSPACES}/{workspace_id}`]: { scope: 'tenant:admin' },
  [`GET ${WORKSPACES}/{workspace_id}/members`]: { scope: 'tenant:admin' },
  [`POST ${WORKSPACES}/{workspace_id}/members`]: writesMembers,
  [`PUT ${WORKSPACES}/{workspace_id}/members`]: writesMembers,
  [`DELETE ${WORKSPACES}/{workspace_id}/members/{user_id}`]: { scope: 'tenant:admin' },

  // Counts the whole tenant: the scope is the operator's, and whose entries wait for vectors is not said.
  'GET /api/knowledge/embedding-status': { scope: 'tenant:admin' },
  'GET /healthz': { scope: null },
  'GET /readyz': { scope: null },
}

/** What is missing from the table, and what is left over in it, in words for whoever adds a route. */
export function unmatchedRows(document: { paths: Record<string, Record<string, unknown>> }): string[] {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  return [
    ...routes
      .filter((route) => !Object.hasOwn(ROWS, route))
      .map(
        (route) =>
          `${route} has no row: add it to ROWS in test/isolation/rows.ts with its scope, a query and body that name ` +
          'one of each thing it refers to, and, if it names an entry, its status for who sees the entry and who does not',
      ),
    ...Object.keys(ROWS)
      .filter((route) => !routes.includes(route))
      .map((route) => `${route} is no route any more: take its row out of test/isolation/rows.ts`),
  ]
}

/** The request of a row about these things. A parameter in the path that nothing is known of throws. */
export function questionOf(route: string, ids: Ids): Question {
  const { query, body, ndjson } = ROWS[route]
  const [method, template] = route.split(' ')
  const known: Readonly<Record<string, string>> = { ...ids, version: '1' }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (known[name] === undefined) throw new Error(`${route}: add an example of ${name} to Ids in rows.ts`)
    return known[name]
  })
  const search = query === undefined ? '' : `?${new URLSearchParams(query(ids)).toString()}`
  return { method, path: path + search, body: body?.(ids), ndjson }
}
