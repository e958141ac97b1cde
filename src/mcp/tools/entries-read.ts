import { EntryListQuery, EntrySearch } from '../../entries/contract.ts'
import type { Entry } from '../../entries/entry.ts'
import type { EntryRules } from '../../entries/rules.ts'
import type { EntryHit, EntrySearchRules } from '../../entries/search-rules.ts'
import { decodeCursor, encodeCursor } from '../../http/paging.ts'
import { FreeForm, Int, ListOf, Nullable, Num, OneOf, Type, Uuid } from '../../http/schema.ts'
import { Budget, BUDGET_DEFAULT, excerpt, fill, type Item, jsonLength, pageOfText } from '../budget.ts'
import { briefOf, EntryBrief, headingOf, LeftOut, NextOffset } from '../entry-view.ts'
import { defineTool, READS, type Tool } from '../tool.ts'

/** So that ten hits fit the default budget. */
const PASSAGE_CHARACTERS = 500
const SUMMARY_CHARACTERS = 240
const OFFSET_MAX = 1_000

const { explain: _explain, mode: _mode, ...searchFields } = EntrySearch.properties
const { include_total: _total, limit: _limit, tag, ...listFields } = EntryListQuery.properties

export function searchKnowledge(search: EntrySearchRules): Tool {
  return defineTool({
    name: 'search_knowledge',
    title: 'Search knowledge',
    description:
      'Finds entries by meaning and by words. Answers for each the passage that fits best, not the whole content: ' +
      'read that with get_entry, from the offset of the passage where the entry is long.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {
      ...searchFields,
      mode: Type.Optional(
        OneOf(['hybrid', 'semantic', 'keyword'], { default: 'hybrid', description: 'By both, by meaning, by words' }),
      ),
      budget_characters: Budget,
    },
    output: {
      hits: ListOf(
        Type.Object({
          ...EntryBrief,
          similarity: Num({ description: '1 identical in meaning, 0 unrelated' }),
          score: Type.Optional(Num({ description: 'What the hits are ranked by, except in semantic mode' })),
          excerpt: Type.String(),
          excerpt_of: OneOf(['passage', 'summary', 'content']),
          offset: Int({ minimum: 0, description: 'Where in the content the passage begins' }),
          content_characters: Int({ minimum: 0 }),
        }),
      ),
      search_log_id: Type.String(),
      degraded: Type.Boolean({ description: 'Whether words alone decided because embeddings were not available' }),
      next_offset: NextOffset,
      left_out: LeftOut,
    },
    run: async (caller, { budget_characters: budget = BUDGET_DEFAULT, ...input }) => {
      const { limit = 10, offset = 0, mode = 'hybrid' } = input
      const { language } = caller.tenant.settings
      const { hits, logId, degraded } = await search.search(caller, { ...input, mode, explain: true }, language)
      const shown = fill(hits, budget, PASSAGE_CHARACTERS, hitItem)
      const missed = hits.length - shown.length
      const next = offset + (missed > 0 ? shown.length : limit)
      const hasNext = next <= OFFSET_MAX && (missed > 0 || hits.length === limit)
      const leftOut = missed === 0 ? null : tooMuch(missed, 'hits', `offset ${next}`)
      return {
        structured: {
          hits: shown.map(({ json }) => json),
          search_log_id: logId,
          degraded,
          next_offset: hasNext ? next : null,
          left_out: leftOut,
        },
        text: lines(
          hits.length === 0 ? 'Nothing was found.' : `${shown.length} found, best first:`,
          ...numbered(shown, offset),
          degraded ? 'Embeddings were not available: words alone decided.' : null,
          leftOut ?? (hasNext ? `There may be more: offset ${next}.` : null),
        ),
      }
    },
  })
}

function hitItem({ entry, similarity, score, explanation }: EntryHit, excerptMax: number): Item {
  const passage = explanation?.passage ?? null
  const of = passage !== null && passage.text.trim() !== '' ? 'passage' : entry.summary ? 'summary' : 'content'
  const source = of === 'passage' ? (passage?.text ?? '') : of === 'summary' ? (entry.summary ?? '') : entry.content
  const text = excerpt(source, excerptMax)
  const json = {
    ...briefOf(entry),
    similarity,
    ...(score === undefined ? {} : { score }),
    excerpt: text,
    excerpt_of: of,
    offset: of === 'passage' ? (passage?.start ?? 0) : 0,
    content_characters: entry.content.length,
  }
  const found = `similarity ${similarity.toFixed(3)}${score === undefined ? '' : `, score ${score.toFixed(3)}`}`
  const place = json.offset > 0 ? `, passage at offset ${json.offset}` : ''
  const size = `${found}${place}, ${entry.content.length} characters of content`
  return { json, text: `${headingOf(entry)}\n   ${size}${text === '' ? '' : `\n   ${text}`}` }
}

export function getEntry(entries: EntryRules): Tool {
  return defineTool({
    name: 'get_entry',
    title: 'Read an entry',
    description:
      'Reads one entry with its content, a long one in parts: call again with next_offset until that is null.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {
      entry_id: Uuid(),
      offset: Type.Optional(
        Int({ minimum: 0, default: 0, description: 'Where in the content to begin, in characters (UTF-16)' }),
      ),
      budget_characters: Budget,
    },
    output: {
      ...EntryBrief,
      summary: Type.Optional(Nullable(Type.String())),
      tags: Type.Optional(ListOf(Type.String())),
      metadata: Type.Optional(FreeForm()),
      search_keywords: Type.Optional(ListOf(Type.String())),
      layer: Type.Optional(Nullable(Type.String())),
      workspace_id: Type.Optional(Nullable(Type.String())),
      translation_group_id: Type.Optional(Type.String()),
      source: Type.Optional(Type.String()),
      source_reference: Type.Optional(Nullable(Type.String())),
      created_at: Type.Optional(Type.String()),
      content: Type.String({ description: 'The part of the content that begins at `offset`' }),
      offset: Int({ minimum: 0 }),
      content_characters: Int({ minimum: 0 }),
      next_offset: NextOffset,
      left_out: LeftOut,
    },
    run: async (caller, { entry_id: id, offset = 0, budget_characters: budget = BUDGET_DEFAULT }) => {
      const entry = await entries.read(caller, id)
      const { kept, dropped } = offset === 0 ? fieldsWithin(entry, budget / 2) : { kept: {}, dropped: [] }
      const head = { ...briefOf(entry), ...kept }
      const heading = [`# ${head.title}`, factsOf({ ...head })].join('\n')
      const room = budget - Math.max(jsonLength(head), heading.length) - 600
      const { part, start, next } = pageOfText(entry.content, offset, Math.max(room, 1))
      const rest =
        next === null ? null : `${entry.content.length - next} more characters of content follow at offset ${next}.`
      const fields =
        dropped.length === 0 ? null : `${dropped.join(', ')} did not fit: call again with a larger budget_characters.`
      const leftOut = rest === null && fields === null ? null : lines(rest, fields)
      return {
        structured: {
          ...head,
          content: part,
          offset: start,
          content_characters: entry.content.length,
          next_offset: next,
          left_out: leftOut,
        },
        text: [heading, part, ...(leftOut === null ? [] : [`[${leftOut}]`])].join('\n\n'),
      }
    },
  })
}

const DETAILS = [
  'summary',
  'tags',
  'layer',
  'workspace_id',
  'translation_group_id',
  'source',
  'source_reference',
  'created_at',
  'metadata',
  'search_keywords',
] as const

/** The fields beside the content that fit, in their order, and the names of the others. */
function fieldsWithin(entry: Entry, max: number): { kept: Record<string, unknown>; dropped: string[] } {
  const kept: Record<string, unknown> = {}
  const dropped: string[] = []
  let left = max
  for (const name of DETAILS) {
    const size = jsonLength(entry[name]) + name.length + 4
    if (size > left) dropped.push(name)
    else {
      kept[name] = entry[name]
      left -= size
    }
  }
  return { kept, dropped }
}

function factsOf(head: Record<string, unknown>): string {
  const facts = Object.entries(head).filter(([name, value]) => name !== 'title' && !isEmpty(value))
  return facts
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

export function listEntries(entries: EntryRules): Tool {
  return defineTool({
    name: 'list_entries',
    title: 'List entries',
    description: 'Lists entries by filters, newest first, without their content. For a question take search_knowledge.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {
      ...listFields,
      tags: tag,
      limit: Type.Optional(Int({ minimum: 1, maximum: 100, default: 20 })),
      cursor: Type.Optional(Type.String({ maxLength: 200, description: 'next_cursor of the answer before' })),
      budget_characters: Budget,
    },
    output: {
      entries: ListOf(Type.Object({ ...EntryBrief, excerpt: Type.String(), content_characters: Int({ minimum: 0 }) })),
      next_cursor: Nullable(Type.String(), { description: 'Call again with this cursor for more' }),
      left_out: LeftOut,
    },
    run: async (caller, { budget_characters: budget = BUDGET_DEFAULT, tags, cursor, ...query }) => {
      const page = await entries.list(caller, { ...query, tag: tags, limit: query.limit ?? 20 }, positionOf(cursor))
      const shown = fill(page.entries, budget, SUMMARY_CHARACTERS, listItem)
      const missed = page.entries.length - shown.length
      const last = page.entries[shown.length - 1]
      const next = missed > 0 && last !== undefined ? positionAfter(last) : missed > 0 ? null : page.next
      const nextCursor = next === null ? null : encodeCursor([next.createdAt, next.id])
      const leftOut = missed === 0 ? null : tooMuch(missed, 'entries of this page', 'next_cursor')
      return {
        structured: { entries: shown.map(({ json }) => json), next_cursor: nextCursor, left_out: leftOut },
        text: lines(
          page.entries.length === 0 ? 'No entries.' : `${shown.length} listed, newest first:`,
          ...numbered(shown, 0),
          leftOut,
          nextCursor === null ? null : `More: cursor ${nextCursor}`,
        ),
      }
    },
  })
}

export function positionOf(cursor: string | undefined): { createdAt: number; id: string } | null {
  if (cursor === undefined) return null
  const [createdAt, id] = decodeCursor(cursor, ['integer', 'string'])
  return { createdAt, id }
}

function positionAfter({ created_at: createdAt, id }: Entry) {
  return { createdAt: Date.parse(createdAt), id }
}

function listItem(entry: Entry, excerptMax: number): Item {
  const text = excerpt(entry.summary === null || entry.summary === '' ? entry.content : entry.summary, excerptMax)
  const json = { ...briefOf(entry), excerpt: text, content_characters: entry.content.length }
  return { json, text: `${headingOf(entry)}${text === '' ? '' : `\n   ${text}`}` }
}

/** Says what was left out for want of room. */
export function tooMuch(count: number, what: string, how: string): string {
  return `${count} ${what} did not fit: call again with ${how}, or with a larger budget_characters.`
}

export function numbered(items: readonly Item[], offset: number): string[] {
  return items.map(({ text }, i) => `${offset + i + 1}. ${text}`)
}

export function lines(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n')
}
