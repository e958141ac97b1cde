import assert from 'node:assert/strict'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { changeUser, revokeApiKey } from '../../src/identity/administration/end-access.ts'
import { issueOperator } from '../../src/identity/operators/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { openSession } from '../../src/identity/sessions/session-opener.ts'
import { findUser } from '../../src/identity/users/rules.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import type { TestService } from '../support/service.ts'
import { ask, type Credential } from './answers.ts'
import { ACTIONS, type Ceiling, CEILINGS, ROLE, type EntryGuard, sees, type Viewer, VISIBILITIES } from './model.ts'
import type { Ids } from './rows.ts'

export const ENTRIES = '/api/knowledge/knowledge-entries'
export const UNKNOWN = '00000000-0000-7000-8000-000000000000'
/** Word in every entry, so that a search finds every entry that the caller sees. */
export const COMMON_WORD = 'Leuchtturm'

/** An entry of the world, with what the model needs to know about it. */
export interface Subject extends EntryGuard {
  readonly name: string
  readonly id: string
  readonly categoryId: string
  /** Level, owner and workspace of the entry's first version. */
  readonly first: EntryGuard
}

export interface Asker extends Credential, Viewer {
  readonly name: string
  readonly can: ReadonlySet<string>
}

/** A tenant with one entry of every kind, and every kind of asker. */
export interface Realm {
  readonly tenant: string
  readonly membersOnly: boolean
  readonly owner: Asker
  readonly askers: readonly Asker[]
  /** Visitor of a page: a publishable key for both sections and the whole tenant. */
  readonly visitor: Asker
  /**
   * Visitors with a publishable key for one site: the realm's site, with everything on it, and another one, which is
   * empty.
   */
  readonly siteVisitors: { readonly full: Asker; readonly empty: Asker }
  readonly subjects: readonly Subject[]
  /** One thing of each kind; the entry is public. */
  readonly ids: Ids
  /** Translation group and source reference, unique to this realm. */
  readonly group: string
}

type Role = keyof typeof ROLE

/** Builds a realm through the API and the command line's rules. */
export async function buildRealm(service: TestService, tenant: string, membersOnly: boolean): Promise<Realm> {
  await service.tenant(tenant)
  const user = async (name: string, role: Role) => ({
    ...(await service.user({ tenant, email: `${name}@${tenant}.example`, role })),
    role,
    name,
    tenant,
  })
  const people = {
    owner: await user('owner', 'admin'),
    admin: await user('admin', 'admin'),
    member: await user('member', 'editor'),
    editor: await user('editor', 'editor'),
    reader: await user('reader', 'reader'),
  }
  const make = maker(service, people.owner.key)
  const workspace = await make('/api/knowledge/workspaces', { name: 'Nord' })
  const elsewhere = await make('/api/knowledge/workspaces', { name: 'Süd' })
  const join = (id: string, ids: string[]) => make(`/api/knowledge/workspaces/${id}/members`, { user_ids: ids }, 'PUT')
  await join(workspace, [people.owner.userId, people.member.userId, people.reader.userId])
  await join(elsewhere, [people.editor.userId])
  const of = ({ name, role, key, userId }: (typeof people)['owner' | 'member']): Asker => ({
    name,
    authorization: `Bearer ${key}`,
    can: new Set(ROLE[role].actions),
    ceiling: ROLE[role].ceiling,
    userId,
    workspaceIds: name === 'editor' ? [elsewhere] : name === 'admin' ? [] : [workspace],
  })
  const owner = of(people.owner)
  const narrowed = (to: Ceiling): Asker => ({
    ...owner,
    name: `owner narrowed to ${to}`,
    xScopes: [...ACTIONS, `visibility:${to}`].join(' '),
    ceiling: to,
  })
  const ownerless = async (ceiling: Ceiling, scopes: readonly string[], name: string): Promise<Asker> => ({
    name,
    authorization: `Bearer ${await service.key(scopes, tenant)}`,
    can: new Set(ACTIONS),
    ceiling,
    userId: null,
    workspaceIds: [],
  })
  const askers = [
    ...Object.values(people).map((person) => of(person as never)),
    narrowed('community'),
    narrowed('workspace'),
    { ...owner, name: 'owner narrowed to reading', xScopes: 'knowledge:read', ceiling: 'public' as const },
    await ownerless('public', ACTIONS, 'key without ceiling'),
    ...(await Promise.all(
      CEILINGS.map((level) => ownerless(level, [...ACTIONS, `visibility:${level}`], `key up to ${level}`)),
    )),
  ].map((asker) =>
    asker.name === 'owner narrowed to reading' ? { ...asker, can: new Set(['knowledge:read']) } : asker,
  )

  const visitor = async (name: string, sites?: readonly string[]): Promise<Asker> => ({
    name,
    authorization: `Bearer ${await publishableKey(service, people.owner.key, sites)}`,
    can: new Set(['knowledge:read', 'products:read', 'search:log']),
    ceiling: 'public',
    userId: null,
    workspaceIds: [],
  })

  const parent = await make('/api/knowledge/categories', { name: 'Oben' })
  const project = await make('/api/knowledge/projects', { name: 'Vorhaben' })
  const site = await make('/api/knowledge/sites', { slug: 'laden', name: 'Laden' })
  const product = await make('/api/knowledge/products?site_id=laden', {
    title: `${COMMON_WORD} aus Holz`,
    language: 'de',
    external_id: 'holz',
    brand: 'Insel',
    price_current: '19.90',
    sync_hash: 'gleich',
  })
  await make('/api/knowledge/products?site_id=laden', {
    title: `${COMMON_WORD} aus Holz, rot`,
    language: 'de',
    external_id: 'holz-rot',
    parent_external_id: 'holz',
    is_variant: true,
  })
  const redirect = { name: 'Regel', action: 'redirect', query: 'niemals', address: '/nie' }
  const rule = await make(`/api/knowledge/sites/${site}/merchandising`, redirect)
  const set = await make('/api/knowledge/judged-sets', { name: 'Fragen', section: 'knowledge' })
  const { subjects, group } = await fill(service, people, { workspace, parent, project, site })
  const query = { query: COMMON_WORD, site_id: site }
  const searched = await ask(service, owner, { method: 'POST', path: `${ENTRIES}/search`, body: query })
  const judged = { method: 'PUT', path: `/api/knowledge/judged-sets/${set}/queries` }
  const judgments = [{ id: subjects[0].id, grade: 2 }]
  await ask(service, owner, { ...judged, body: { queries: [{ query: COMMON_WORD, judgments }] } })
  const stored = await ask(service, owner, { ...judged, method: 'GET' })
  // Ended, so that its row does not change under the tests.
  const run = await endedRun(service, owner, set)
  if (membersOnly) await changeTenant(service.database, tenant, { settings: { workspaces: 'true' } })
  const oauth = await storeOAuthRecords(service.database, {
    tenantId: tenant,
    userId: people.member.userId,
    origin: service.service.url,
  })
  const spare = { name: 'Spare', scopes: ['knowledge:read'], userId: null, expiresAt: null }
  const { id, categoryId } = subjects[0]
  const ids: Ids = {
    entry_id: id,
    category_id: categoryId,
    parent_id: parent,
    project_id: project,
    workspace_id: workspace,
    user_id: people.member.userId,
    site_id: site,
    product_id: product,
    search_log_id: searched.headers.get('x-search-log-id')!,
    client_id: oauth.client,
    grant_id: oauth.grant,
    token: oauth.token,
    key_id: (await issueApiKey(service.database, tenant, spare)).id,
    rule_id: rule,
    invitation_id: await make('/api/knowledge/invitations', { email: `guest@${tenant}.example`, role: 'reader' }),
    session_id: await sessionOf(service, tenant, people.member.userId),
    set_id: set,
    query_id: stored.json[0].id,
    run_id: run,
  }
  const siteVisitors = {
    full: await visitor('visitor of the site', ['laden']),
    empty: await visitor('visitor of another site', ['default']),
  }
  const anyVisitor = await visitor('visitor')
  return { tenant, membersOnly, owner, askers, visitor: anyVisitor, siteVisitors, subjects, ids, group }
}

async function sessionOf({ database }: TestService, tenant: string, userId: string): Promise<string> {
  const user = (await findUser(database.queries, tenant, userId))!
  await openSession(database, { user }, Date.now(), async () => [])
  return (await database.queries.selectFrom('sessions').select('id').where('user_id', '=', userId).execute())[0].id
}

/**
 * Starts a run of the set and waits for its end.
 * @returns its id
 */
async function endedRun(service: TestService, owner: Credential, set: string): Promise<string> {
  const path = `/api/knowledge/judged-sets/${set}/runs`
  const { json } = await ask(service, owner, { method: 'POST', path, body: { mode: 'keyword' } })
  for (;;) {
    const run = await ask(service, owner, { method: 'GET', path: `${path}/${json.id}` })
    assert.notEqual(run.json.state, 'failed')
    if (run.json.state === 'done') return json.id
  }
}

/** The origin of the pages that visitors of a realm use. */
export const PAGE = 'https://laden.example'

async function publishableKey(
  { service }: Pick<TestService, 'service'>,
  key: string,
  sites: readonly string[] | undefined,
): Promise<string> {
  const body = { name: 'page', origins: [PAGE], sections: ['products', 'knowledge'], sites }
  const path = '/api/knowledge/api-keys/publishable'
  const answer = await ask({ service }, { authorization: `Bearer ${key}` }, { method: 'POST', path, body })
  assert.equal(answer.status, 201, answer.text)
  return answer.json.key as string
}

type Person = { readonly key: string; readonly userId: string; readonly tenant: string }

/**
 * Creates one entry of every level, two where the owner or workspace matters, and one entry published from each level.
 */
async function fill(
  service: TestService,
  people: { owner: Person; editor: Person },
  { workspace, parent, project, site }: Record<'workspace' | 'parent' | 'project' | 'site', string>,
): Promise<{ subjects: Subject[]; group: string }> {
  const subjects: Subject[] = []
  let group: string | undefined
  const add = async (name: string, by: Person, first: EntryGuard, publish: boolean): Promise<void> => {
    const make = maker(service, by.key)
    const categoryId = await maker(service, people.owner.key)('/api/knowledge/categories', { name, parent_id: parent })
    const fields = {
      title: `Eintrag ${name}`,
      content: `${COMMON_WORD} und ${'mehr '.repeat(subjects.length)}Text über ${name}`,
      category_id: categoryId,
      tags: ['insel'],
      layer: 'küste',
      source_reference: `quelle/${name}`,
      workspace_id: first.workspaceId,
    }
    const personal = first.visibility === 'personal'
    const id = await make(
      personal ? `${ENTRIES}/personal` : ENTRIES,
      personal ? fields : { ...fields, visibility: first.visibility },
    )
    // Half of the entries are translations of each other.
    const grouped = subjects.length % 2 === 0 ? { translation_group_id: group, language: 'en' } : {}
    const patch = { title: `Leuchtturm ${name}`, ...grouped, ...(publish ? { visibility: 'public' } : {}) }
    const changed = await service.call('PATCH', `${ENTRIES}/${id}`, { key: by.key, body: patch })
    assert.equal(changed.status, 200, changed.body)
    group ??= changed.body.translation_group_id as string
    const now = publish ? { ...first, visibility: 'public' as const } : first
    subjects.push({ name, id, categoryId, first, ...now })
  }
  const { owner, editor } = people
  const seen = (
    visibility: EntryGuard['visibility'],
    ownerId: string,
    workspaceId: string | null = null,
  ): EntryGuard => ({
    visibility,
    ownerId,
    workspaceId,
  })
  const inPlace = (visibility: EntryGuard['visibility']) =>
    seen(visibility, owner.userId, visibility === 'workspace' ? workspace : null)
  for (const visibility of VISIBILITIES) await add(visibility, owner, inPlace(visibility), false)
  await add('workspace of nobody', owner, seen('workspace', owner.userId), false)
  await add('personal of the editor', editor, seen('personal', editor.userId), false)
  for (const visibility of VISIBILITIES) await add(`once ${visibility}`, owner, inPlace(visibility), true)
  for (const by of [owner, editor]) {
    const mine = subjects.filter((subject) => (subject.ownerId === editor.userId) === (by === editor))
    const entryIds = { entry_ids: mine.map((s) => s.id) }
    await maker(service, by.key)(`/api/knowledge/projects/${project}/entries`, entryIds)
    if (by === owner) await maker(service, owner.key)(`/api/knowledge/sites/${site}/knowledge`, entryIds)
    else await asAdmin(service, editor, (make) => make(`/api/knowledge/sites/${site}/knowledge`, entryIds))
  }
  return { subjects, group: group! }
}

/** Acts for a user while the user is an administrator, because no other person can act on the user's private notes. */
async function asAdmin(
  { database, service }: TestService,
  { tenant, userId }: Person,
  work: (make: ReturnType<typeof maker>) => Promise<unknown>,
): Promise<void> {
  await changeUser(database, tenant, userId, { role: 'admin' })
  const key = { name: 'then', scopes: [...ACTIONS, 'visibility:restricted'], userId, expiresAt: null }
  await work(maker({ service }, (await issueApiKey(database, tenant, key)).key))
  await changeUser(database, tenant, userId, { role: 'editor' })
}

function maker(service: Pick<TestService, 'service'>, key: string) {
  return async (path: string, body: object, method: 'POST' | 'PUT' = 'POST'): Promise<string> => {
    const answer = await ask(service, { authorization: `Bearer ${key}` }, { method, path, body })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json.id as string
  }
}

/** Returns the entries of the realm that the asker should find. */
export function seenBy(realm: Realm, asker: Viewer): Subject[] {
  return realm.subjects.filter((subject) => sees(asker, subject, realm.membersOnly))
}

/** Returns invalid credentials, by the reason why they are invalid. */
export async function badCredentials(service: TestService, tenant: string): Promise<Record<string, Credential>> {
  const issue = (more: { userId?: string; expiresAt?: number } = {}) =>
    issueApiKey(service.database, tenant, {
      name: 'bad',
      scopes: [...ACTIONS, 'visibility:restricted'],
      userId: more.userId ?? null,
      expiresAt: more.expiresAt ?? null,
    })
  const revoked = await issue()
  await revokeApiKey(service.database, tenant, revoked.id)
  const disabled = await service.user({ tenant, email: `gone@${tenant}.example`, role: 'admin' })
  await changeUser(service.database, tenant, disabled.userId, { disabled: true })
  const expired = await issue({ expiresAt: Date.now() - 1 })
  const unpublished = await issueApiKey(service.database, tenant, {
    name: 'bad',
    scopes: ['knowledge:read', 'products:read', 'search:log'],
    userId: null,
    expiresAt: null,
    publishable: { sites: null, sections: ['products', 'knowledge'], origins: [PAGE] },
  })
  await revokeApiKey(service.database, tenant, unpublished.id)
  const operator = await issueOperator(service.database, { name: 'Operator', expiresAt: null })
  return {
    'of an operator': { authorization: `Bearer ${operator.key}` },
    none: { authorization: null },
    malformed: { authorization: 'Bearer nonsense' },
    'of another scheme': { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
    unknown: { authorization: `Bearer ks_${'0'.repeat(40)}` },
    'unknown and publishable': { authorization: `Bearer pk_${'0'.repeat(40)}` },
    'revoked and publishable': { authorization: `Bearer ${unpublished.key}` },
    revoked: { authorization: `Bearer ${revoked.key}` },
    expired: { authorization: `Bearer ${expired.key}` },
    'of a disabled user': { authorization: `Bearer ${disabled.key}` },
  }
}
