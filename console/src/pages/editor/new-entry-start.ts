import { isUuid } from '../../router/uuid.ts'

const TITLE_MAX = 500

/** First values of a new entry, from pages that lead here. */
export interface NewEntryStart {
  readonly category?: string
  readonly title?: string
}

/** Reads the first values of an address, and leaves out values that make no sense. */
export function readNewEntryStart(search: Record<string, unknown>): NewEntryStart {
  const { category, title } = search
  return {
    // Set to undefined instead of left out: the router would add the unchecked parameters of the address otherwise.
    category: isUuid(category) ? category : undefined,
    title: ['string', 'number'].includes(typeof title) ? String(title).slice(0, TITLE_MAX) : undefined,
  }
}
