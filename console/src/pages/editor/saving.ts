import { answerOf, api, ApiFault, Unreachable } from '../../api/client.ts'
import type { Entry } from '../../api/entries.ts'
import { bodyOf, differingNames, type EntryFields, fieldsOf } from '../../api/entry-fields.ts'
import { merged } from './merge.ts'

/** A stored state of an entry, with which changes are compared. */
export interface Base {
  readonly id: string
  readonly version: number
  readonly fields: EntryFields
}

export const baseOf = (entry: Entry): Base => ({ id: entry.id, version: entry.version, fields: fieldsOf(entry) })

/**
 * Saves a stored entry. When the service has the same fields already, they count as saved: the answer to an earlier
 * attempt was lost, or another tab was faster.
 * @throws ApiFault, with status 412 when another person has saved something else since `base`
 */
export async function saveChange(base: Base, fields: EntryFields): Promise<Entry> {
  try {
    return await sendChange(base, fields)
  } catch (error) {
    if (!(error instanceof ApiFault) || error.status !== 412) throw error
    const stored = await readEntry(base.id).catch(() => null)
    if (stored === null || differingNames(fieldsOf(stored), fields).length > 0) throw error
    return stored
  }
}

const readEntry = (id: string): Promise<Entry> =>
  answerOf(api.GET('/api/knowledge/knowledge-entries/{entry_id}', { params: { path: { entry_id: id } } }))

async function sendChange(base: Base, fields: EntryFields): Promise<Entry> {
  const names = differingNames(base.fields, fields).filter((name) => name !== 'type')
  const entry = await answerOf(
    api.PATCH('/api/knowledge/knowledge-entries/{entry_id}', {
      params: { path: { entry_id: base.id }, header: { 'If-Match': `"${base.version}"` } },
      body: bodyOf(fields, names),
    }),
  )
  if (entry === undefined) throw new Error('Whoever writes entries here may also read them')
  return entry
}

const NEVER_EMPTY = ['type', 'title', 'content', 'visibility', 'tags', 'search_keywords', 'metadata'] as const
const PERSONAL = ['title', 'content', 'category_id', 'summary', 'layer', 'language', 'tags', 'metadata'] as const

/** Newest entries of a category that are searched for one that was just created. */
const SEARCHED_ENTRIES = 10

/**
 * Saves a new entry, once. Where the answer was lost, the service may have the entry all the same: before it is sent
 * another time, the newest entries are searched for one of the person that has the same fields.
 * @param lost fields that were sent without an answer so far; a further loss is added
 * @throws like `saveNew`
 */
export async function saveNewOnce(fields: EntryFields, userId: string, lost: Set<EntryFields>): Promise<Entry> {
  for (const sent of lost) {
    const stored = await findStored(sent, userId)
    if (stored === null) continue
    lost.clear()
    // Fields that were typed since then are a change of the stored entry.
    const base = baseOf(stored)
    const mergedFields = merged(sent, fields, base.fields)
    return differingNames(base.fields, mergedFields).length === 0 ? stored : saveChange(base, mergedFields)
  }
  try {
    return await saveNew(fields)
  } catch (error) {
    if (!isLost(error)) throw error
    lost.add(fields)
    const stored = await findStored(fields, userId).catch(() => null)
    if (stored === null) throw error
    lost.clear()
    return stored
  }
}

/**
 * Tells whether the service may have stored the entry despite the error: no answer came back, or a proxy answered in
 * its place.
 */
const isLost = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof ApiFault && [502, 504].includes(error.status))

/** Finds the newest entry that the person made with these words in this place; null without one. */
async function findStored(sent: EntryFields, userId: string): Promise<Entry | null> {
  const { category_id: categoryId } = sent
  const query = { limit: SEARCHED_ENTRIES, ...(categoryId === null ? {} : { category_id: categoryId }) }
  const entries = await answerOf(api.GET('/api/knowledge/knowledge-entries', { params: { query } }))
  const isSame = (entry: Entry): boolean =>
    entry.created_by_user_id === userId &&
    entry.title === sent.title &&
    entry.content === sent.content &&
    entry.visibility === sent.visibility
  return entries.find(isSame) ?? null
}

/** Sends a new entry. @throws ApiFault */
async function saveNew(fields: EntryFields): Promise<Entry> {
  const isPersonal = fields.visibility === 'personal'
  const filled = (['category_id', 'summary', 'layer', 'language', 'workspace_id', 'url'] as const).filter(
    (name) => (fields[name] ?? '') !== '',
  )
  if (isPersonal) {
    const names = PERSONAL.filter((name) => (fields[name] ?? '') !== '')
    return answerOf(api.POST('/api/knowledge/knowledge-entries/personal', { body: bodyOf(fields, names) as never }))
  }
  return answerOf(
    api.POST('/api/knowledge/knowledge-entries', { body: bodyOf(fields, [...NEVER_EMPTY, ...filled]) as never }),
  )
}
