import { EntrySearch } from '../../../knowledge/entries/contract.ts'
import type { EntryHit, EntrySearchRules } from '../../../knowledge/entries/search/search-rules.ts'
import { Int, ListOf, Num, OneOf, Type } from '../../../platform/contract/schema.ts'
import { Budget, BUDGET_DEFAULT, excerpt, fill, type Item } from '../budget.ts'
import { briefOf, EntryBrief, headingOf, LeftOut, NextOffset } from '../entry-view.ts'
import { defineTool, READS, type Tool } from '../tool.ts'
import { lines, numbered, tooMuch } from './words.ts'

/** Short enough for ten hits to fit the default budget. */
const PASSAGE_CHARACTERS = 500
const OFFSET_MAX = 1_000

// An assistant is not a visitor, so it has no visitor_id.
const {
  explain: _explain,
  mode: _mode,
  relevance: _relevance,
  visitor_id: _visitor,
  ...searchFields
} = EntrySearch.properties

export function searchKnowledge(search: EntrySearchRules): Tool {
  return defineTool({
    name: 'search_knowledge',
    title: 'Search knowledge',
    description:
      'Finds entries by meaning and by words. Returns the best passage of each entry, not the whole content. To read ' +
      'the content use get_entry; for a long entry, start at the offset of the passage.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {
      ...searchFields,
      mode: Type.Optional(
        OneOf(['hybrid', 'semantic', 'keyword'], { default: 'hybrid', description: 'hybrid is both' }),
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
      degraded: Type.Boolean({
        description: 'Whether the search used words alone because embeddings were not available',
      }),
      next_offset: NextOffset,
      left_out: LeftOut,
    },
    run: async (caller, { budget_characters: budget = BUDGET_DEFAULT, ...input }) => {
      const { limit = 10, offset = 0, mode = 'hybrid' } = input
      const { language } = caller.tenant.settings
      const { hits, isCut, logId, degraded } = await search.search(caller, { ...input, mode, explain: true }, language)
      const shown = fill(hits, budget, PASSAGE_CHARACTERS, hitItem)
      const missed = hits.length - shown.length
      const isWhole = missed === 0 && !isCut
      const next = offset + (isWhole ? limit : shown.length)
      const hasNext = shown.length > 0 && next <= OFFSET_MAX && (!isWhole || hits.length === limit)
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
          degraded ? 'Embeddings were not available: the search used words alone.' : null,
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
