import { v5 } from 'uuid'
import { findBorders } from '../../embedding/markdown-borders.ts'
import { ENTRY_TYPES } from '../../knowledge/entries/kinds.ts'
import { type FrontMatter, FrontMatterError, splitFrontMatter } from './front-matter.ts'
import type { Placement } from './layout.ts'
import { addressOf, ownAddress } from './page-address.ts'
import { type PageFile, UnusableFile } from './page-file.ts'

/** Namespace of translation group ids, which imports derive from paths (RFC 9562, version 5). */
const GROUP_NAMESPACE = 'b6f0d7e4-3f1c-4b7e-9a55-0c7f6a1f2d38'

export interface MarkdownDefaults {
  readonly visibility: string | undefined
  readonly language: string | undefined
  /** Template of the addresses at which pages are published. */
  readonly url: string | undefined
}

/** The fields of an entry from a file, before the check of the entry's limits. */
type MarkdownEntry = Readonly<Record<string, unknown>>

/**
 * Reads a Markdown file as an entry. From the front matter it takes title, language or lang, tags, summary or
 * description, type, visibility, layer, metadata, search_keywords or keywords, url. Other fields are ignored.
 * @throws UnusableFile when the file cannot be read, or is not text
 */
export async function readMarkdown(
  file: PageFile,
  placement: Placement,
  defaults: MarkdownDefaults,
): Promise<MarkdownEntry> {
  const { fields, content } = await readPage(file)
  const title = statedTitle(fields, content) ?? nameOf(file.segments)
  const entry: Record<string, unknown> = {
    title,
    // An entry needs content. A page of front matter alone is a section page, so its title becomes the content.
    content: content.trim() === '' ? title : content,
    type: ENTRY_TYPES.find((type) => type === fields.type),
    visibility: fields.visibility ?? defaults.visibility,
    language: languageOf(fields) ?? placement.language ?? defaults.language,
    summary: textOf(fields.summary) ?? textOf(fields.description)?.trim(),
    layer: textOf(fields.layer),
    tags: listOf(fields.tags),
    search_keywords: listOf(fields.search_keywords ?? fields.keywords),
    metadata: fields.metadata ?? undefined,
    translation_group_id: placement.group === null ? undefined : v5(placement.group, GROUP_NAMESPACE),
    source: 'import',
    source_reference: placement.reference,
    url: urlOf(fields, file.segments, defaults.url),
  }
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined))
}

/** Reads the front matter of a file, and the text after it. @throws UnusableFile */
export async function readPage({ read }: PageFile): Promise<FrontMatter> {
  const text = textOfBytes(await read())
  try {
    return splitFrontMatter(text)
  } catch (error) {
    if (error instanceof FrontMatterError) throw new UnusableFile(error.message, 'frontMatter')
    throw error
  }
}

/** Decodes UTF-8, without the byte order mark that some programs write. */
function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnusableFile('it is not UTF-8 text', 'notText')
  }
}

/** Returns the language in a page's front matter. Static site generators also write `en_US`. */
export function languageOf(fields: Readonly<Record<string, unknown>>): string | undefined {
  return (textOf(fields.language) ?? textOf(fields.lang))?.replace('_', '-')
}

/** Returns the title in a page's front matter, else the first heading; null without either. */
export function statedTitle(fields: Readonly<Record<string, unknown>>, content: string): string | null {
  const title = textOf(fields.title)
  if (title !== undefined) return title
  const heading = findBorders(content).headings.find(({ text }) => text !== '')
  // Static site generators allow an anchor in a heading: `## Title {#anchor}`.
  return heading === undefined ? null : heading.text.replace(/ *\{#[^}]*\}$/, '') || heading.text
}

function urlOf(
  fields: Readonly<Record<string, unknown>>,
  segments: readonly string[],
  template: string | undefined,
): string | undefined {
  const stated = textOf(fields.url)
  const own = stated === undefined ? null : ownAddress(stated, template)
  return own ?? (template === undefined ? undefined : addressOf(template, segments))
}

/** Returns the name of a file without its ending; for an index page the name of its folder. */
function nameOf(segments: readonly string[]): string {
  const name = segments.at(-1)!.replace(/\.[a-z]+$/i, '')
  return /^(?:_?index|readme)$/i.test(name) ? (segments.at(-2) ?? name) : name
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Returns the items of a list, or of text with commas. The check of the whole entry checks the items too. */
function listOf(value: unknown): unknown[] | undefined {
  if (typeof value === 'string') {
    const words = value.split(',').map((word) => word.trim())
    return words.filter((word) => word !== '')
  }
  if (!Array.isArray(value)) return undefined
  return value.filter((item) => item !== null && item !== '').map((item) => textOf(item) ?? item)
}
