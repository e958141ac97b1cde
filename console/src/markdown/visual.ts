import type { Nodes, Root, RootContent } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { type DocNode, SOURCE, textAttribute } from './document.ts'
import { blockFromDocument } from './from-document.ts'
import { parseMarkdown, type Parsed } from './parse.ts'
import { meaningOf } from './same-tree.ts'
import { blockToDocument } from './to-document.ts'

/** A text as the visual editor shows it: one node for each of its blocks. */
export interface Visual {
  readonly parsed: Parsed
  readonly nodes: readonly DocNode[]
}

/**
 * Opens a text in the visual editor. Markdown that the editor cannot hold, or could not write back with the same
 * meaning, becomes a node that shows its source.
 */
export function openVisual(text: string): Visual {
  const parsed = parseMarkdown(text)
  const nodes = parsed.blocks.map(({ node, start, end }): DocNode => {
    const docNode = blockToDocument(node, parsed.definitions)
    if (docNode !== null && isFaithful(docNode, node, parsed)) return docNode
    return { type: SOURCE, attrs: { text: text.slice(start, end) } }
  })
  return { parsed, nodes }
}

/** Tells whether a block that the visual editor holds is written back with the same meaning. */
function isFaithful(docNode: DocNode, node: RootContent, { definitions }: Parsed): boolean {
  const back = blockFromDocument(docNode)
  if (back === null || meaningOf(back) !== meaningOf(node, definitions)) return false
  const read = parseMarkdown(markdownOf([back]))
  return read.blocks.length === 1 && meaningOf(read.blocks[0]!.node) === meaningOf(node, definitions)
}

/**
 * Writes the editor's document as Markdown. An unchanged block keeps its text byte for byte, and so do the lines
 * between two unchanged neighbours.
 * @param opened nodes as the editor had them after opening, in which it may have filled in attributes
 * @param now nodes to write
 */
export function writeVisual(visual: Visual, opened: readonly DocNode[], now: readonly DocNode[]): string {
  const { text, blocks } = visual.parsed
  const origins = originsOf(opened, now)
  const pieces = now.flatMap((node, i): { text: string; origin: number | null }[] => {
    const origin = origins[i] ?? null
    const block = origin === null ? undefined : blocks[origin]
    if (block !== undefined) return [{ text: text.slice(block.start, block.end), origin }]
    const own = ownText(node)
    return own === '' ? [] : [{ text: own, origin: null }]
  })
  const [first, last] = [pieces[0], pieces.at(-1)]
  if (first === undefined || last === undefined) return ''
  let result = first.origin === 0 ? text.slice(0, blocks[0]!.start) : ''
  for (const [i, piece] of pieces.entries()) {
    const before = pieces[i - 1]
    if (before !== undefined) result += gap(visual.parsed, before.origin, piece.origin)
    result += piece.text
  }
  result += last.origin === blocks.length - 1 && last.origin !== null ? text.slice(blocks.at(-1)!.end) : '\n'
  // Unchanged and new blocks beside each other may run together, such as two lists. Then the whole document is written
  // anew.
  return hasMeaning(result, now, visual.parsed) ? result : writeAnew(now)
}

/** Returns, for each node, the index of the unchanged block that it comes from; null for a new or changed node. */
function originsOf(opened: readonly DocNode[], now: readonly DocNode[]): readonly (number | null)[] {
  const places = new Map<string, number[]>()
  for (const [i, node] of opened.entries()) {
    const name = JSON.stringify(node)
    places.set(name, [...(places.get(name) ?? []), i])
  }
  let after = -1
  return now.map((node) => {
    const candidates = places.get(JSON.stringify(node))
    if (candidates === undefined) return null
    const origin = candidates.find((place) => place > after) ?? candidates[0]!
    after = origin
    return origin
  })
}

function gap({ text, blocks }: Parsed, before: number | null, after: number | null): string {
  if (before === null || after !== before + 1) return '\n\n'
  return text.slice(blocks[before]!.end, blocks[after]!.start)
}

function ownText(node: DocNode): string {
  if (node.type === SOURCE) return textAttribute(node, 'text')
  const block = blockFromDocument(node)
  return block === null ? '' : markdownOf([block]).trimEnd()
}

/** Tells whether the text has the meaning of the document. */
function hasMeaning(text: string, now: readonly DocNode[], { definitions }: Parsed): boolean {
  const read = parseMarkdown(text)
  let index = 0
  const hasNext = (expected: Nodes): boolean => {
    const node = read.blocks[index++]?.node
    return (
      node !== undefined &&
      (node.type === 'html' || meaningOf(node, read.definitions) === meaningOf(expected, definitions))
    )
  }
  const isThere = (docNode: DocNode): boolean => {
    if (docNode.type !== SOURCE) {
      const block = blockFromDocument(docNode)
      return block === null || hasNext(block)
    }
    const source = textAttribute(docNode, 'text')
    const next = read.blocks[index]
    // Alone a source may read as something else than among its neighbours, such as a tag behind a definition.
    if (next !== undefined && text.slice(next.start, next.end) === source) {
      index += 1
      return true
    }
    return parseMarkdown(source).blocks.every(({ node }) => hasNext(node))
  }
  return now.every(isThere) && index === read.blocks.length
}

/** Writes the whole document in our own spelling, which keeps neighbours apart. */
function writeAnew(now: readonly DocNode[]): string {
  const nodes = now.flatMap((node): Nodes[] => {
    if (node.type === SOURCE) return [{ type: 'html', value: textAttribute(node, 'text') }]
    const block = blockFromDocument(node)
    return block === null ? [] : [block]
  })
  return markdownOf(nodes)
}

function markdownOf(nodes: readonly Nodes[]): string {
  const root: Root = { type: 'root', children: nodes as RootContent[] }
  return toMarkdown(root, {
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    bullet: '-',
    rule: '-',
    fences: true,
    listItemIndent: 'one',
  })
}
