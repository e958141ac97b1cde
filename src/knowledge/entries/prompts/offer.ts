/** Decides to whom an entry is offered as a prompt. Pure functions. */
import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../../platform/access/caller.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import type { EntryType } from '../kinds.ts'

/** Entry types that tell an assistant how to work, in the order of the list of prompts. */
export const PROMPT_TYPES = ['bootstrap', 'skill'] as const satisfies readonly EntryType[]
export type PromptType = (typeof PROMPT_TYPES)[number]

/** Columns that decide to whom an entry is a prompt. Those of an entry of another type say nothing. */
export type PromptOffer = Pick<EntryRow, 'prompts_others' | 'prompt_author_id'>

/** Columns that make up the text of a prompt. A caller who writes one of them answers for all of them. */
const TEXTS = ['title', 'summary', 'content', 'metadata'] as const

/** The offer of entries of other types, and of prompts from before the scope existed. */
export const UNBOUND_OFFER: PromptOffer = { prompts_others: 1, prompt_author_id: null }

export function isPrompt(type: string): type is PromptType {
  return PROMPT_TYPES.some((each) => each === type)
}

/** Returns the offer of a new entry. */
export function offerOfNew({ scopes, userId }: Pick<Caller, 'scopes' | 'userId'>, type: EntryType): PromptOffer {
  if (!isPrompt(type)) return UNBOUND_OFFER
  return { prompts_others: Number(scopes.has('knowledge:prompts')), prompt_author_id: userId }
}

/**
 * Returns the offer of a changed entry. A change of the text by a caller without the scope withdraws it from others.
 * A caller with the scope offers a text by writing its content, even if it equals the stored one. A caller who corrects
 * other fields does not vouch for a content that another person wrote, who stays its author.
 * @param patch names the written fields
 */
export function offerOfChanged(
  { scopes, userId }: Pick<Caller, 'scopes' | 'userId'>,
  before: EntryRow,
  after: EntryRow,
  patch: Readonly<Partial<Record<(typeof TEXTS)[number], unknown>>>,
): PromptOffer {
  const { prompts_others, prompt_author_id } = before
  const written = isPrompt(before.type) ? TEXTS.filter((column) => patch[column] !== undefined) : []
  if (scopes.has('knowledge:prompts')) {
    const isRewritten = written.includes('content') && before.content !== after.content
    return {
      prompts_others: written.includes('content') ? 1 : prompts_others,
      prompt_author_id: isRewritten ? userId : prompt_author_id,
    }
  }
  const isChanged = written.some((column) => !isSame(column, before[column], after[column]))
  return isChanged ? { prompts_others: 0, prompt_author_id: userId } : { prompts_others, prompt_author_id }
}

/** What an export says of the offer of a skill or bootstrap. */
interface ExportedOffer {
  readonly for_others: boolean
  readonly author_id: string | null
}

/** Returns the offer of a skill or bootstrap for an export; undefined for an entry of another type. */
export function exportedOffer({ type, prompts_others, prompt_author_id }: EntryRow): ExportedOffer | undefined {
  return isPrompt(type) ? { for_others: prompts_others === 1, author_id: prompt_author_id } : undefined
}

/** Returns the offer that an export has. An older export says nothing, and all its prompts are offered. */
export function offerOfExport(exported: ExportedOffer | undefined): PromptOffer {
  if (exported === undefined) return UNBOUND_OFFER
  return { prompts_others: Number(exported.for_others), prompt_author_id: exported.author_id }
}

/** Tells whether an entry is offered to a caller who sees it. */
export function isOfferedTo(
  { userId }: Pick<Caller, 'userId'>,
  { prompts_others: others, prompt_author_id: author }: PromptOffer,
): boolean {
  return others === 1 || (author !== null && author === userId)
}

function isSame(column: (typeof TEXTS)[number], one: string | null, other: string | null): boolean {
  // The order of the keys does not matter.
  return one === other || (column === 'metadata' && isDeepStrictEqual(JSON.parse(one!), JSON.parse(other!)))
}
