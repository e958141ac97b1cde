import type { Definition, Nodes, PhrasingContent } from 'mdast'
import { isLoose } from './to-document.ts'

/**
 * Returns the meaning of a node as text, without its place and its spelling: links by reference as links, spaces for
 * line breaks, one mark for the blank lines of a list. Two nodes with the same meaning read the same.
 */
export function meaningOf(node: Nodes, definitions: ReadonlyMap<string, Definition> = new Map()): string {
  return JSON.stringify(plain(node, definitions))
}

function plain(node: Nodes, definitions: ReadonlyMap<string, Definition>): unknown {
  const { position: _position, data: _data, ...rest } = node
  const children =
    'children' in node ? withJoinedTexts(node.children.map((child) => plain(child, definitions))) : undefined
  const own: Record<string, unknown> = { ...rest, ...(children === undefined ? {} : { children }) }
  switch (node.type) {
    case 'text':
    case 'inlineCode':
      own.value = node.value.replaceAll('\n', ' ')
      break
    case 'list':
      own.spread = isLoose(node)
      own.children = (children as Record<string, unknown>[]).map((item) => ({ ...item, spread: isLoose(node) }))
      break
    case 'table': {
      const width = Math.max(...node.children.map((row) => row.children.length))
      own.align = Array.from({ length: width }, (_, i) => node.align?.[i] ?? null)
      own.children = (children as { children: unknown[] }[]).map((row) => ({
        ...row,
        children: Array.from({ length: width }, (_, i) => row.children[i] ?? { type: 'tableCell', children: [] }),
      }))
      break
    }
    case 'linkReference':
    case 'imageReference': {
      const target = definitions.get(node.identifier)
      const title = target?.title ?? null
      if (target === undefined) break
      return withSortedKeys(
        node.type === 'linkReference'
          ? { type: 'link', url: target.url, title, children }
          : { type: 'image', url: target.url, title, alt: node.alt ?? '' },
      )
    }
    case 'link':
      own.title = node.title ?? null
      break
    case 'image':
      own.title = node.title ?? null
      own.alt = node.alt ?? ''
      break
    default:
  }
  return withSortedKeys(own)
}

/** Joins neighbouring texts into one. */
function withJoinedTexts(children: unknown[]): unknown[] {
  const siblings: unknown[] = []
  for (const child of children as PhrasingContent[]) {
    const before = siblings.at(-1) as PhrasingContent | undefined
    if (child.type === 'text' && before?.type === 'text') {
      siblings[siblings.length - 1] = { ...before, value: before.value + child.value }
    } else siblings.push(child)
  }
  return siblings
}

const withSortedKeys = (own: Record<string, unknown>): unknown =>
  Object.fromEntries(Object.entries(own).sort(([one], [other]) => (one < other ? -1 : 1)))
