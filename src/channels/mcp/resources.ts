import type { ListResourcesResult, ListResourceTemplatesResult, ReadResourceResult } from '@modelcontextprotocol/server'
import type { Caller } from '../../platform/access/caller.ts'
import type { EntryRules } from '../../knowledge/entries/rules.ts'
import { isUuid } from '../../platform/contract/formats.ts'
import { notFound } from '../../platform/faults.ts'
import { excerpt, pageOfText } from './budget.ts'
import { cursorAt, positionOf } from './entry-cursor.ts'
import { entryUri, summaryOf, titleOf } from './entry-view.ts'
import { entryMarkdown, RESOURCE_CHARACTERS_MAX } from './markdown.ts'

const PAGE = 50
const DESCRIPTION_CHARACTERS = 200
const MARKDOWN = 'text/markdown'
const ENTRY_URI = /^knowledge:\/\/entries\/([^/?#]+)(?:\?offset=(\d{1,9}))?$/

/** Offers the entries that a caller sees as resources in Markdown. */
export class EntryResources {
  readonly #entries: EntryRules

  constructor(entries: EntryRules) {
    this.#entries = entries
  }

  /** Lists entries, newest first, a page at a time. */
  async list(caller: Caller, cursor: string | undefined): Promise<ListResourcesResult> {
    const { entries, next } = await this.#entries.list(caller, {}, { limit: PAGE, after: positionOf(cursor) })
    return {
      resources: entries.map((entry) => ({
        uri: entryUri(entry.id),
        name: titleOf(entry.title),
        title: titleOf(entry.title),
        description: `${entry.type}: ${excerpt(summaryOf(entry), DESCRIPTION_CHARACTERS)}`,
        mimeType: MARKDOWN,
        annotations: { lastModified: entry.updated_at },
      })),
      ...(next === null ? {} : { nextCursor: cursorAt(next) }),
    }
  }

  templates(): ListResourceTemplatesResult {
    return {
      resourceTemplates: [
        {
          uriTemplate: 'knowledge://entries/{entry_id}{?offset}',
          name: 'entry',
          title: 'Knowledge entry',
          description: `An entry as Markdown. Content over ${RESOURCE_CHARACTERS_MAX} characters comes in parts, from offset on.`,
          mimeType: MARKDOWN,
        },
      ],
    }
  }

  /** Reads an entry, or a part of a long one. @throws Fault not_found when the caller sees no entry at the address */
  async read(caller: Caller, uri: string): Promise<ReadResourceResult> {
    const [, id = '', offset = '0'] = ENTRY_URI.exec(uri) ?? []
    if (!isUuid(id)) throw notFound(['path', 'uri'], 'Resource')
    const entry = await this.#entries.read(caller, id.toLowerCase())
    const { part, next } = pageOfText(entry.content, Number(offset), RESOURCE_CHARACTERS_MAX)
    const more =
      next === null ? '' : `\n\n[${entry.content.length - next} more characters: ${entryUri(entry.id)}?offset=${next}]`
    return { contents: [{ uri, mimeType: MARKDOWN, text: `${entryMarkdown(entry, part)}${more}` }] }
  }
}
