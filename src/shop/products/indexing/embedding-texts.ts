import { parseObject } from '../../../platform/database/json-text.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import { hasText } from '../product.ts'

/** Most UTF-16 units of a text. Longer texts are cut, since no model reads more. */
const TEXT_MAX = 8_000

/** Columns that the embedding texts of a product are made of. */
export const EMBEDDED_COLUMNS = [
  'title',
  'description',
  'short_description',
  'attributes',
  'properties',
  'similarity_text',
  'embedding_text_description',
  'embedding_text_properties',
  'embedding_text_attributes',
] as const satisfies (keyof ProductRow)[]

export type EmbeddedColumns = Pick<ProductRow, (typeof EMBEDDED_COLUMNS)[number]>

interface EmbeddingText {
  readonly part: 'description' | 'properties' | 'attributes'
  readonly text: string
}

/**
 * Returns the texts of a product that are embedded, in the order of its vectors. Each text is that of the feed, or else
 * made of the title and the part. An empty part has no text, except the description, so there is always one.
 */
export function embeddingTextsOf(row: EmbeddedColumns): EmbeddingText[] {
  const texts: EmbeddingText[] = []
  const add = (part: EmbeddingText['part'], ownText: string | null, generate: () => string | null): void => {
    const text = hasText(ownText) ? ownText : generate()
    if (text !== null) texts.push({ part, text: cut(text) })
  }
  const titled = (body: string): string => `${row.title}\n\n${body}`
  add('description', row.embedding_text_description, () => {
    const body = hasText(row.description) ? row.description : row.short_description
    return hasText(body) ? titled(body) : row.title
  })
  for (const part of ['properties', 'attributes'] as const) {
    add(part, row[`embedding_text_${part}`], () => {
      const lines = linesOf(parseObject(row[part]))
      return lines.length === 0 ? null : titled(lines.join('\n'))
    })
  }
  return texts
}

/** Returns the text by which similar products are found; null when the feed has none. */
export function similarityTextOf({ similarity_text: text }: EmbeddedColumns): string | null {
  return hasText(text) ? cut(text) : null
}

/** Returns `name: value` for each member. Joins nested values in order, and leaves out empty ones. */
export function linesOf(members: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const words = wordsOf(value)
    return words === '' ? [] : [`${name}: ${words}`]
  })
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(wordsOf).filter(Boolean).join(', ')
  return linesOf(value as Record<string, unknown>).join(', ')
}

function cut(text: string): string {
  return text.length <= TEXT_MAX ? text : text.slice(0, TEXT_MAX).toWellFormed()
}
