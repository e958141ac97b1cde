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
 * Opens a text in the visual editor. What the editor cannot hold, or could not write back with the same meaning, is a
 * node that shows its source.
 */
export function openVisual(text: string): Visual {
  const parsed = parseMarkdown(text)
  const nodes = parsed.blocks.map(({ node, start, end }): DocNode => {
    const shown = blockToDocument(node, parsed.definitions)
    if (shown !== null && isFaithful(shown, node, parsed)) return shown
    return { type: SOURCE, attrs: { text: text.slice(start, end) } }
  })
  return { parsed, nodes }
}

function isFaithful(shown: DocNode, node: RootContent, { definitions }: Parsed): boolean {
  const back = blockFromDocument(shown)
  if (back === null || meaningOf(back) !== meaningOf(node, definitions)) return false
  const read = parseMarkdown(written([back]))
  return read.blocks.length === 1 && meaningOf(read.blocks[0]!.node) === meaningOf(node, definitions)
}

/**
 * Writes the editor's document as Markdown. A block that nobody changed keeps its text byte for byte, and so do the
 * lines between two of them.
 * @param shown the nodes as the editor had them after opening, in which it may have filled in attributes
 */
export function writeVisual(visual: Visual, shown: readonly DocNode[], now: readonly DocNode[]): string {
  const { text, blocks } = visual.parsed
  const origins = originsOf(shown, now)
  const kept = now.flatMap((node, i): { text: string; origin: number | null }[] => {
    const origin = origins[i] ?? null
    const block = origin === null ? undefined : blocks[origin]
    if (block !== undefined) return [{ text: text.slice(block.start, block.end), origin }]
    const own = ownText(node)
    return own === '' ? [] : [{ text: own, origin: null }]
  })
  const [first, last] = [kept[0], kept.at(-1)]
  if (first === undefined || last === undefined) return ''
  let result = first.origin === 0 ? text.slice(0, blocks[0]!.start) : ''
  for (const [i, piece] of kept.entries()) {
    const before = kept[i - 1]
    if (before !== undefined) result += gap(visual.parsed, before.origin, piece.origin)
    result += piece.text
  }
  result += last.origin === blocks.length - 1 && last.origin !== null ? text.slice(blocks.at(-1)!.end) : '\n'
  // Kept and new blocks beside each other may run together, such as two lists. Then all is written anew.
  return hasMeaning(result, now, visual.parsed) ? result : anew(now)
}

/** Of each node the index of the block that it still is; null for new and changed ones. */
function originsOf(shown: readonly DocNode[], now: readonly DocNode[]): readonly (number | null)[] {
  const places = new Map<string, number[]>()
  for (const [i, node] of shown.entries()) {
    const name = JSON.stringify(node)
    places.set(name, [...(places.get(name) ?? []), i])
  }
  let after = -1
  return now.map((node) => {
    const known = places.get(JSON.stringify(node))
    if (known === undefined) return null
    const origin = known.find((place) => place > after) ?? known[0]!
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
  return block === null ? '' : written([block]).trimEnd()
}

/** Whether the text says what the document does. */
function hasMeaning(text: string, now: readonly DocNode[], { definitions }: Parsed): boolean {
  const read = parseMarkdown(text)
  let at = 0
  const says = (wanted: Nodes): boolean => {
    const node = read.blocks[at++]?.node
    return (
      node !== undefined &&
      (node.type === 'html' || meaningOf(node, read.definitions) === meaningOf(wanted, definitions))
    )
  }
  const isThere = (shown: DocNode): boolean => {
    if (shown.type !== SOURCE) {
      const block = blockFromDocument(shown)
      return block === null || says(block)
    }
    const source = textAttribute(shown, 'text')
    const next = read.blocks[at]
    // Alone it may read as something else than among its neighbours, such as a tag behind a definition.
    if (next !== undefined && text.slice(next.start, next.end) === source) {
      at += 1
      return true
    }
    return parseMarkdown(source).blocks.every(({ node }) => says(node))
  }
  return now.every(isThere) && at === read.blocks.length
}

/** The whole document in our own spelling, which keeps neighbours apart. */
function anew(now: readonly DocNode[]): string {
  const nodes = now.flatMap((node): Nodes[] => {
    if (node.type === SOURCE) return [{ type: 'html', value: textAttribute(node, 'text') }]
    const block = blockFromDocument(node)
    return block === null ? [] : [block]
  })
  return written(nodes)
}

function written(nodes: readonly Nodes[]): string {
  const root: Root = { type: 'root', children: nodes as RootContent[] }
  return toMarkdown(root, {
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
    bullet: '-',
    rule: '-',
    fences: true,
    listItemIndent: 'one',
  })
}
