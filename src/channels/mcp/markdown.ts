import type { Entry } from '../../knowledge/entries/contract.ts'

/** Characters of content that one read of an entry's resource returns at most. */
export const RESOURCE_CHARACTERS_MAX = 100_000

/** Writes an entry as Markdown: title, type and other facts, tags, summary, part of the content, metadata. */
export function entryMarkdown(entry: Entry, part: string): string {
  const facts = [
    entry.type,
    entry.language,
    entry.visibility,
    `version ${entry.version}`,
    `changed ${entry.updated_at}`,
  ]
  const tags = entry.tags.length === 0 ? [] : [`Tags: ${entry.tags.join(', ')}`]
  const summary = entry.summary === null || entry.summary === '' ? [] : [`> ${entry.summary.replaceAll('\n', '\n> ')}`]
  return [`# ${entry.title}`, `_${facts.join(', ')}_`, ...tags, ...summary, part, ...metadataOf(entry)].join('\n\n')
}

/** Writes metadata as Markdown sections. Those of types such as skill say more than the content. */
export function metadataOf({ metadata }: Entry): string[] {
  return Object.entries(metadata).flatMap(([name, value]) => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return []
    const heading = `## ${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`
    if (!Array.isArray(value)) return [`${heading}\n\n${textOf(value)}`]
    return [`${heading}\n\n${value.map((item, i) => `${i + 1}. ${textOf(item)}`).join('\n')}`]
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
