import { answerOf, api, ApiFault } from '../../api/client.ts'
import type { Entry } from '../../api/entries.ts'
import { bodyOf, differing, type EntryFields, fieldsOf } from '../../api/entry-fields.ts'

/** A stored state of an entry: what a change is compared with. */
export interface Base {
  readonly id: string
  readonly version: number
  readonly fields: EntryFields
}

export const baseOf = (entry: Entry): Base => ({ id: entry.id, version: entry.version, fields: fieldsOf(entry) })

/**
 * Saves a stored entry. What is stored already counts as saved: the answer to an earlier attempt was lost, or another
 * tab was faster.
 * @throws ApiFault, with status 412 when somebody has saved something else since `base`
 */
export async function saveChange(base: Base, fields: EntryFields): Promise<Entry> {
  try {
    return await sendChange(base, fields)
  } catch (error) {
    if (!(error instanceof ApiFault) || error.status !== 412) throw error
    const stored = await readEntry(base.id).catch(() => null)
    if (stored === null || differing(fieldsOf(stored), fields).length > 0) throw error
    return stored
  }
}

const readEntry = (id: string): Promise<Entry> =>
  answerOf(api.GET('/api/knowledge/knowledge-entries/{entry_id}', { params: { path: { entry_id: id } } }))

async function sendChange(base: Base, fields: EntryFields): Promise<Entry> {
  const names = differing(base.fields, fields).filter((name) => name !== 'type')
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

/** @throws ApiFault */
export async function saveNew(fields: EntryFields): Promise<Entry> {
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
