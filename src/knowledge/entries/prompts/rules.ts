import { usersById } from '../../../identity/users/rules.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import type { PageOf } from '../../../platform/database/page.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import type { ListPosition } from '../../../platform/database/walk.ts'
import { notFound } from '../../../platform/faults.ts'
import type { Entry } from '../contract.ts'
import { entryOf } from '../entry.ts'
import { listEntries } from '../lists/list-store.ts'
import { findVisibleEntry } from '../visibility/visible-store.ts'
import { isOfferedTo, isPrompt, type PromptType } from './offer.ts'

/** Entry that is offered to a caller as a prompt. */
export interface EntryPrompt {
  readonly entry: Entry
  /** Name of the person who wrote its text last, or of its creator where that is not known; null for no person. */
  readonly author: string | null
}

/** Offers entries as prompts: to everybody who sees them, or to their author alone. */
export class PromptRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns a page of the entries of one type that are prompts for the caller, newest first. */
  async list(
    caller: Caller,
    type: PromptType,
    page: PageOf<ListPosition>,
  ): Promise<{ prompts: EntryPrompt[]; next: ListPosition | null }> {
    const filters = { type, promptsFor: caller.userId, notExpiredAt: Date.now() }
    const { rows, next } = await listEntries(this.#database, caller, filters, page)
    // An entry may have been changed since the list chose it.
    const offered = rows.filter((row) => isOfferedTo(caller, row))
    return { prompts: await withAuthors(this.#database.queries, caller.tenant.id, offered), next }
  }

  /** Returns the prompt of an entry. @throws Fault not_found for an entry that is no prompt for the caller */
  async read(caller: Caller, id: string): Promise<EntryPrompt> {
    const { queries } = this.#database
    const row = await findVisibleEntry(queries, caller, id)
    if (row === null || !isPrompt(row.type) || !isOfferedTo(caller, row)) throw notFound(['path', 'name'], 'Prompt')
    return (await withAuthors(queries, caller.tenant.id, [row]))[0]
  }
}

async function withAuthors(db: Queries, tenantId: string, rows: readonly EntryRow[]): Promise<EntryPrompt[]> {
  const authorOf = (row: EntryRow): string | null => row.prompt_author_id ?? row.created_by_user_id
  const users = await usersById(
    db,
    tenantId,
    rows.flatMap((row) => authorOf(row) ?? []),
  )
  return rows.map((row) => ({ entry: entryOf(row), author: users.get(authorOf(row) ?? '')?.name ?? null }))
}
