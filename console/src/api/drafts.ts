import { createStore, delMany, entries, set, type UseStore } from 'idb-keyval'
import type { EntryFields } from './entry-fields.ts'

/** A text that a person typed and has not saved. It is on this device alone, and only its writer is offered it. */
export interface Draft {
  readonly tenantId: string
  readonly userId: string
  /** Id of the entry; null for a new one. */
  readonly entryId: string | null
  /** Version of the entry that the writer began with; 0 for a new entry. */
  readonly base: number
  /** Id of the tab that wrote it: tells apart texts typed at the same time in two tabs, or beside an older draft. */
  readonly writer: string
  readonly baseFields: EntryFields
  readonly fields: EntryFields
  /** ISO time at which the browser stored it. */
  readonly keptAt: string
}

export type DraftOwner = Pick<Draft, 'tenantId' | 'userId'>

let draftStore: UseStore | undefined
const store = (): UseStore => (draftStore ??= createStore('knowledge-drafts', 'drafts'))

type DraftKey = Pick<Draft, 'tenantId' | 'userId' | 'entryId' | 'base' | 'writer'>

const keyOf = ({ tenantId, userId, entryId, base, writer }: DraftKey): string =>
  JSON.stringify([tenantId, userId, entryId, base, writer])

const drafts = async (): Promise<readonly Draft[]> => (await entries<string, Draft>(store())).map(([, draft]) => draft)

/**
 * Stores a draft in the browser.
 * @throws when the browser stores nothing, as in some private windows and where site data is blocked, or has no room
 */
export const keepDraft = async (draft: Draft): Promise<void> => set(keyOf(draft), draft, store())

export const dropDraft = async (draft: DraftKey): Promise<void> => delMany([keyOf(draft)], store())

/**
 * Returns the person's drafts of an entry, the newest first. Returns none where the browser stores nothing.
 * @param entryId null for the drafts of new entries
 */
export async function draftsOf(owner: DraftOwner, entryId: string | null): Promise<readonly Draft[]> {
  const own = (await allOf(owner)).filter((draft) => draft.entryId === entryId)
  return own.toSorted((one, other) => other.keptAt.localeCompare(one.keptAt))
}

const LOCK = 'draft '

/** Tells other tabs that this writer's tab is still open, by a lock. @returns function that releases the lock */
export function holdDraft(writer: string): () => void {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  // Browsers have locks only on addresses that they trust, such as those with HTTPS.
  if ('locks' in navigator) void navigator.locks.request(LOCK + writer, () => released)
  return release
}

/** Returns the writers whose tabs are open. */
export async function openWriters(): Promise<ReadonlySet<string>> {
  const { held: locks = [] } = 'locks' in navigator ? await navigator.locks.query() : {}
  return new Set(locks.flatMap(({ name }) => (name?.startsWith(LOCK) === true ? [name.slice(LOCK.length)] : [])))
}

/** Counts the texts of the person that are on this device alone. */
export const countDrafts = async (owner: DraftOwner): Promise<number> => (await allOf(owner)).length

/** Erases all drafts of the person. */
export async function eraseDrafts(owner: DraftOwner): Promise<void> {
  const own = await allOf(owner)
  if (own.length > 0) await delMany(own.map(keyOf), store())
}

async function allOf({ tenantId, userId }: DraftOwner): Promise<readonly Draft[]> {
  try {
    return (await drafts()).filter((draft) => draft.tenantId === tenantId && draft.userId === userId)
  } catch {
    return []
  }
}
