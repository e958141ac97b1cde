import { EntryListQuery } from '../../../knowledge/entries/contract.ts'
import type { Entry } from '../../../knowledge/entries/contract.ts'
import type { EntryRules } from '../../../knowledge/entries/rules.ts'
import { Int, ListOf, Nullable, Type } from '../../../platform/contract/schema.ts'
import { pageSlots } from '../../../platform/threads/page-slots.ts'
import { Budget, BUDGET_DEFAULT, excerpt, fill, type Item } from '../budget.ts'
import { cursorAt, positionOf } from '../entry-cursor.ts'
import { briefOf, EntryBrief, headingOf, LeftOut, summaryOf } from '../entry-view.ts'
import { FILTER_WORDS } from '../field-words.ts'
import { defineTool, READS, type Tool } from '../tool.ts'
import { lines, numbered, tooMuch } from './words.ts'

const SUMMARY_CHARACTERS = 240

const { category_id, type, tag, language, include_expired, ...others } = EntryListQuery.properties
const { project_id, site_id, visibility, layer } = others

export function listEntries(entries: EntryRules): Tool {
  return defineTool({
    name: 'list_entries',
    title: 'List entries',
    description: 'Lists entries by filters, newest first, without their content. For a question use search_knowledge.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {
      category_id,
      type,
      tags: tag,
      language,
      include_expired,
      limit: Type.Optional(Int({ minimum: 1, maximum: 100, default: 20 })),
      cursor: Type.Optional(Type.String({ maxLength: 200, description: 'next_cursor of the previous answer' })),
      budget_characters: Budget,
    },
    unlisted: { project_id, site_id, visibility, layer },
    words: FILTER_WORDS,
    output: {
      entries: ListOf(Type.Object({ ...EntryBrief, excerpt: Type.String(), content_characters: Int({ minimum: 0 }) })),
      next_cursor: Nullable(Type.String(), { description: 'Call again with this cursor for more' }),
      left_out: LeftOut,
    },
    run: async (caller, { budget_characters: budget = BUDGET_DEFAULT, tags, limit = 20, cursor, ...query }) => {
      const page = await pageSlots.run(caller.tenant.id, () =>
        entries.list(caller, { ...query, tag: tags }, { limit, after: positionOf(cursor) }),
      )
      const items = fill(page.entries, budget, SUMMARY_CHARACTERS, listItem)
      const missed = page.entries.length - items.length
      const last = page.entries[items.length - 1]
      const next = missed > 0 && last !== undefined ? positionAfter(last) : missed > 0 ? null : page.next
      const nextCursor = next === null ? null : cursorAt(next)
      const leftOut = missed === 0 ? null : tooMuch(missed, 'entries of this page', 'next_cursor')
      return {
        structured: { entries: items.map(({ json }) => json), next_cursor: nextCursor, left_out: leftOut },
        text: lines(
          page.entries.length === 0 ? 'No entries.' : `${items.length} listed, newest first:`,
          numbered(items, 0),
          leftOut,
          nextCursor === null ? null : `More: cursor ${nextCursor}`,
        ),
      }
    },
  })
}

function positionAfter({ created_at: createdAt, id }: Entry) {
  return { createdAt: Date.parse(createdAt), id }
}

function listItem(entry: Entry, excerptMax: number): Item {
  const text = excerpt(summaryOf(entry), excerptMax)
  const json = { ...briefOf(entry), excerpt: text, content_characters: entry.content.length }
  return { json, text: `${headingOf(entry)}${text === '' ? '' : `\n   ${text}`}` }
}
