import type { Entry } from '../../../knowledge/entries/contract.ts'
import type { EntryRules } from '../../../knowledge/entries/rules.ts'
import { FreeForm, Int, ListOf, Nullable, Type, Uuid } from '../../../platform/contract/schema.ts'
import { Budget, BUDGET_DEFAULT, jsonLength, pageOfText } from '../budget.ts'
import { briefOf, EntryBrief, LeftOut, NextOffset } from '../entry-view.ts'
import { quoted } from '../quotes.ts'
import { defineTool, READS, type Tool } from '../tool.ts'
import { lines } from './words.ts'

export function getEntry(entries: EntryRules): Tool {
  return defineTool({
    name: 'get_entry',
    title: 'Read an entry',
    description:
      'Reads one entry with its content. Long content comes in parts: call again with next_offset until it is null.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {
      entry_id: Uuid(),
      offset: Type.Optional(Int({ minimum: 0, default: 0 })),
      budget_characters: Budget,
    },
    words: { offset: 'Where in the content to begin, in characters (UTF-16)' },
    output: {
      ...EntryBrief,
      category_path: Type.Optional(ListOf(Type.String())),
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
      offset: Int({ minimum: 0, description: 'Where the part begins' }),
      content_characters: Int({ minimum: 0 }),
      next_offset: NextOffset,
      left_out: LeftOut,
    },
    run: async (caller, { entry_id: id, offset = 0, budget_characters: budget = BUDGET_DEFAULT }) => {
      const entry = await entries.read(caller, id, { include_category_path: true })
      const { details, leftOutNames } =
        offset === 0 ? fieldsWithin(entry, budget / 2) : { details: {}, leftOutNames: [] }
      const head = { ...briefOf(entry), ...details }
      const heading = [`# ${head.title}`, factsOf({ ...head })].join('\n')
      const room = budget - Math.max(jsonLength(head), heading.length) - 600
      const { part, start, next } = pageOfText(entry.content, offset, Math.max(room, 1))
      const rest =
        next === null ? null : `${entry.content.length - next} more characters of content follow at offset ${next}.`
      const fields =
        leftOutNames.length === 0
          ? null
          : `${leftOutNames.join(', ')} did not fit: call again with a larger budget_characters.`
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
        text: lines(quoted(`${heading}\n\n${part}`), leftOut === null ? null : `[${leftOut}]`),
      }
    },
  })
}

const DETAILS = [
  'category_path',
  'url',
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

/** Returns the fields besides the content that fit `max` characters, in order, and the names of the others. */
function fieldsWithin(entry: Entry, max: number): { details: Record<string, unknown>; leftOutNames: string[] } {
  const details: Record<string, unknown> = {}
  const leftOutNames: string[] = []
  let left = max
  for (const name of DETAILS) {
    if (entry[name] === undefined) continue
    const size = jsonLength(entry[name]) + name.length + 4
    if (size > left) leftOutNames.push(name)
    else {
      details[name] = entry[name]
      left -= size
    }
  }
  return { details, leftOutNames }
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
