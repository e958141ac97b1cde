import { createStore, delMany, entries, set, type UseStore } from 'idb-keyval'
import type { EntryFields } from './entry-fields.ts'

/** What somebody typed and has not saved. It is on this device alone, and only its writer is offered it. */
export interface Draft {
  readonly tenantId: string
  readonly userId: string
  /** Null for a new entry. */
  readonly entryId: string | null
  /** Version of the entry that the writer began with; 0 for a new entry. */
  readonly base: number
  /** Tells apart what is typed at the same time in two tabs, or beside an older draft. */
  readonly writer: string
  readonly baseFields: EntryFields
  readonly fields: EntryFields
  /** ISO time. */
  readonly keptAt: string
}

export type DraftOwner = Pick<Draft, 'tenantId' | 'userId'>

let opened: UseStore | undefined
const store = (): UseStore => (opened ??= createStore('knowledge-drafts', 'drafts'))

type DraftKey = Pick<Draft, 'tenantId' | 'userId' | 'entryId' | 'base' | 'writer'>

const keyOf = ({ tenantId, userId, entryId, base, writer }: DraftKey): string =>
  JSON.stringify([tenantId, userId, entryId, base, writer])

const drafts = async (): Promise<readonly Draft[]> => (await entries<string, Draft>(store())).map(([, draft]) => draft)

/** @throws when the browser stores nothing, as in some private windows and where site data is blocked, or has no room */
export const keepDraft = async (draft: Draft): Promise<void> => set(keyOf(draft), draft, store())

export const dropDraft = async (draft: DraftKey): Promise<void> => delMany([keyOf(draft)], store())

/** The person's drafts of an entry, the newest first; of new entries with null. None where the browser stores nothing. */
export async function draftsOf(owner: DraftOwner, entryId: string | null): Promise<readonly Draft[]> {
  const own = (await allOf(owner)).filter((draft) => draft.entryId === entryId)
  return own.toSorted((one, other) => other.keptAt.localeCompare(one.keptAt))
}

const LOCK = 'draft '

/** Lets other tabs know that somebody is still writing here. @returns ends that */
export function holdDraft(writer: string): () => void {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  // Browsers have locks only on addresses that they trust, such as those with HTTPS.
  if ('locks' in navigator) void navigator.locks.request(LOCK + writer, () => released)
  return release
}

/** The writers whose tabs are open. */
export async function openWriters(): Promise<ReadonlySet<string>> {
  const { held = [] } = 'locks' in navigator ? await navigator.locks.query() : {}
  return new Set(held.flatMap(({ name }) => (name?.startsWith(LOCK) === true ? [name.slice(LOCK.length)] : [])))
}

/** How many texts of the person are on this device alone. */
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
