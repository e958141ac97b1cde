import { EntrySearch } from '../../../knowledge/entries/contract.ts'
import type { EntryHit, EntrySearchRules } from '../../../knowledge/entries/search/search-rules.ts'
import { Int, ListOf, Num, OneOf, Type } from '../../../platform/contract/schema.ts'
import { Budget, BUDGET_DEFAULT, excerpt, fill, type Item } from '../budget.ts'
import { briefOf, citationOf, EntryBrief, headingOf, LeftOut, NextOffset, pathOf } from '../entry-view.ts'
import { FILTER_WORDS } from '../field-words.ts'
import { quoted } from '../quotes.ts'
import { defineTool, READS, type Tool } from '../tool.ts'
import { Behind, MinWatermark, saidOfBehind, searchFor } from '../writes-seen.ts'
import { lines, numbered, tooMuch } from './words.ts'

/** Characters of a passage: few enough that ten hits fit the default budget. */
const PASSAGE_CHARACTERS = 500
const OFFSET_MAX = 1_000

const { query, limit, offset, category_id, include_descendants, type, tags, language, ...others } =
  EntrySearch.properties
const { project_id, site_id, visibility, layer, min_similarity, min_relevance, group_translations } = others
const { typo_tolerance, prefix } = others

export function searchKnowledge(search: EntrySearchRules): Tool {
  return defineTool({
    name: 'search_knowledge',
    title: 'Search knowledge',
    description:
      'Finds entries by meaning and by words. Returns the best passage of each, with what to cite it by. To read the ' +
      'content use get_entry; for a long entry, start at the offset of the passage.',
    scopes: ['knowledge:read'],
    hints: READS,
    input: {
      query,
      limit,
      offset,
      mode: Type.Optional(OneOf(['hybrid', 'semantic', 'keyword'], { default: 'hybrid' })),
      category_id,
      include_descendants,
      type,
      tags,
      language,
      min_watermark: MinWatermark,
      budget_characters: Budget,
    },
    unlisted: {
      project_id,
      site_id,
      visibility,
      layer,
      min_similarity,
      min_relevance,
      group_translations,
      typo_tolerance,
      prefix,
    },
    words: FILTER_WORDS,
    output: {
      hits: ListOf(
        Type.Object({
          ...EntryBrief,
          category_path: Type.Optional(ListOf(Type.String())),
          similarity: Num(),
          score: Type.Optional(Num()),
          relevance: Num(),
          excerpt: Type.String(),
          excerpt_of: OneOf(['passage', 'summary', 'content']),
          offset: Int({ minimum: 0, description: 'Where in the content the passage begins' }),
          content_characters: Int({ minimum: 0 }),
        }),
      ),
      did_you_mean: Type.Optional(Type.String()),
      search_log_id: Type.String(),
      degraded: Type.Boolean(),
      behind: Behind,
      next_offset: NextOffset,
      left_out: LeftOut,
    },
    run: async (
      caller,
      { budget_characters: budget = BUDGET_DEFAULT, min_watermark: watermark, ...input },
      watermarks,
    ) => {
      const { limit = 10, offset = 0, mode = 'hybrid' } = input
      const { language } = caller.tenant.settings
      const request = { ...input, mode, explain: true, include_category_path: true, relevance: true }
      const {
        hits: page,
        logId,
        degraded,
        behind,
        meant,
      } = await searchFor(caller, watermark, watermarks, (searching) => search.search(searching, request, language))
      const lack = saidOfBehind(caller, behind)
      const hits = await page.objects<EntryHit>()
      const items = fill(hits, budget, PASSAGE_CHARACTERS, hitItem)
      const missed = hits.length - items.length
      const isWhole = missed === 0 && !page.isCut
      const next = offset + (isWhole ? limit : items.length)
      const hasNext = items.length > 0 && next <= OFFSET_MAX && (!isWhole || hits.length === limit)
      const leftOut = missed === 0 ? null : tooMuch(missed, 'hits', `offset ${next}`)
      return {
        structured: {
          hits: items.map(({ json }) => json),
          ...(meant === null ? {} : { did_you_mean: meant }),
          search_log_id: logId,
          degraded,
          ...lack.structured,
          next_offset: hasNext ? next : null,
          left_out: leftOut,
        },
        text: lines(
          hits.length === 0 ? nothingFound(meant) : `${items.length} found, best first:`,
          numbered(items, offset),
          degraded ? 'Embeddings were not available: the search used words alone.' : null,
          lack.text,
          leftOut ?? (hasNext ? `There may be more: offset ${next}.` : null),
        ),
      }
    },
  })
}

function nothingFound(meant: string | null): string {
  return meant === null ? 'Nothing was found.' : `Nothing was found. Did you mean:\n${quoted(meant)}`
}

function hitItem({ entry, similarity, score, relevance = 0, explanation }: EntryHit, excerptMax: number): Item {
  const passage = explanation?.passage ?? null
  const of = passage !== null && passage.text.trim() !== '' ? 'passage' : entry.summary ? 'summary' : 'content'
  const source = of === 'passage' ? (passage?.text ?? '') : of === 'summary' ? (entry.summary ?? '') : entry.content
  const text = excerpt(source, excerptMax)
  const json = {
    ...briefOf(entry),
    ...(excerptMax > 0 ? pathOf(entry) : {}),
    similarity,
    ...(score === undefined ? {} : { score }),
    relevance,
    excerpt: text,
    excerpt_of: of,
    offset: of === 'passage' ? (passage?.start ?? 0) : 0,
    content_characters: entry.content.length,
  }
  const scored = score === undefined ? '' : `, score ${score.toFixed(3)}`
  const rating = `relevance ${relevance.toFixed(2)}, similarity ${similarity.toFixed(3)}${scored}`
  const place = json.offset > 0 ? `, passage at offset ${json.offset}` : ''
  const size = `${rating}${place}, ${entry.content.length} characters of content`
  return { json, text: lines(headingOf(entry), `   ${size}`, citationOf(json), text === '' ? null : `   ${text}`) }
}
