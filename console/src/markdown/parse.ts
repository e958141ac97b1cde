import type { Definition, Root, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** A block at the top level, with its place in the text. */
interface Block {
  readonly node: RootContent
  readonly start: number
  readonly end: number
}

/** The blocks of a text, and the targets of its links by reference. */
export interface Parsed {
  readonly text: string
  readonly blocks: readonly Block[]
  readonly definitions: ReadonlyMap<string, Definition>
}

/** Reads Markdown with the additions of GitHub: tables, tasks, strikethrough, bare addresses. */
export function parseMarkdown(text: string): Parsed {
  const root: Root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const definitions = new Map<string, Definition>()
  const blocks = root.children.map((node) => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node)
    return { node, start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 }
  })
  return { text, blocks, definitions }
}
