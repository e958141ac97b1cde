import type { AlignType, Definition, List, ListItem, Nodes, PhrasingContent, Table } from 'mdast'
import type { DocNode, Mark } from './document.ts'

/** The fault that the visual editor has no place for a node. */
class Unsupported extends Error {
  override readonly name = 'Unsupported'
}

type Definitions = ReadonlyMap<string, Definition>

/** Returns a block of Markdown as a node of the visual editor; null for one that the editor cannot hold. */
export function blockToDocument(node: Nodes, definitions: Definitions): DocNode | null {
  try {
    return block(node, definitions)
  } catch (error) {
    if (error instanceof Unsupported) return null
    throw error
  }
}

function block(node: Nodes, definitions: Definitions): DocNode {
  switch (node.type) {
    case 'paragraph':
      return { type: 'paragraph', ...inlineContent(node.children, definitions) }
    case 'heading':
      return { type: 'heading', attrs: { level: node.depth }, ...inlineContent(node.children, definitions) }
    case 'blockquote':
      return { type: 'blockquote', content: blocksOr(node.children, definitions) }
    case 'code': {
      const language = [node.lang, node.meta].filter((part) => part).join(' ')
      const content = node.value === '' ? {} : { content: [{ type: 'text', text: node.value }] }
      return { type: 'codeBlock', attrs: { language: language === '' ? null : language }, ...content }
    }
    case 'thematicBreak':
      return { type: 'horizontalRule' }
    case 'list':
      return list(node, definitions)
    case 'table':
      return table(node, definitions)
    default:
      throw new Unsupported(node.type)
  }
}

/**
 * Returns the blocks of a container, with an empty paragraph where it has none: the editor's containers need at least
 * one block.
 */
function blocksOr(nodes: readonly Nodes[], definitions: Definitions): DocNode[] {
  return nodes.length === 0 ? [{ type: 'paragraph' }] : nodes.map((node) => block(node, definitions))
}

/** Tells whether blank lines separate the items of a list, or the blocks within an item. */
export const isLoose = (node: List): boolean => node.spread === true || node.children.some(({ spread }) => spread)

function list(node: List, definitions: Definitions): DocNode {
  const isTask = node.children.every(({ checked }) => typeof checked === 'boolean')
  const isPlain = node.children.every(({ checked }) => checked === null || checked === undefined)
  if (!isPlain && (!isTask || node.ordered === true)) throw new Unsupported('mixed list')
  const tight = !isLoose(node)
  const content = node.children.map((item) => listItem(item, isTask && !isPlain, definitions))
  if (isTask && !isPlain) return { type: 'taskList', attrs: { tight }, content }
  if (node.ordered !== true) return { type: 'bulletList', attrs: { tight }, content }
  return { type: 'orderedList', attrs: { tight, start: node.start ?? 1 }, content }
}

function listItem(item: ListItem, isTask: boolean, definitions: Definitions): DocNode {
  const blocks = blocksOr(item.children, definitions)
  // The editor wants a paragraph first in an item.
  const content = blocks[0]?.type === 'paragraph' ? blocks : [{ type: 'paragraph' }, ...blocks]
  return isTask
    ? { type: 'taskItem', attrs: { checked: item.checked === true }, content }
    : { type: 'listItem', content }
}

function table(node: Table, definitions: Definitions): DocNode {
  const width = Math.max(...node.children.map(({ children }) => children.length))
  return {
    type: 'table',
    content: node.children.map((row, i) => ({
      type: 'tableRow',
      content: Array.from({ length: width }, (_, column) => {
        const inline = inlineContent(row.children[column]?.children ?? [], definitions)
        return cell(i === 0, node.align?.[column] ?? null, inline)
      }),
    })),
  }
}

const cell = (isHead: boolean, align: AlignType, inline: Pick<DocNode, 'content'>): DocNode => ({
  type: isHead ? 'tableHeader' : 'tableCell',
  attrs: { align },
  content: [{ type: 'paragraph', ...inline }],
})

function inlineContent(nodes: readonly PhrasingContent[], definitions: Definitions): Pick<DocNode, 'content'> {
  const content = inline(nodes, [], definitions)
  return content.length === 0 ? {} : { content }
}

function inline(nodes: readonly PhrasingContent[], marks: readonly Mark[], definitions: Definitions): DocNode[] {
  const withMarks = marks.length === 0 ? {} : { marks }
  const within = (children: readonly PhrasingContent[], mark: Mark): DocNode[] =>
    inline(children, [...marks, mark], definitions)
  return nodes.flatMap((node): DocNode[] => {
    switch (node.type) {
      case 'text':
        // A line break in the source reads as a space.
        return node.value === '' ? [] : [{ type: 'text', text: node.value.replaceAll('\n', ' '), ...withMarks }]
      case 'strong':
        return within(node.children, { type: 'bold' })
      case 'emphasis':
        return within(node.children, { type: 'italic' })
      case 'delete':
        return within(node.children, { type: 'strike' })
      case 'inlineCode':
        return [{ type: 'text', text: node.value.replaceAll('\n', ' '), marks: [...marks, { type: 'code' }] }]
      case 'break':
        return [{ type: 'hardBreak', ...withMarks }]
      case 'link':
        return within(node.children, { type: 'link', attrs: { href: node.url, title: node.title ?? null } })
      case 'linkReference': {
        const target = definitions.get(node.identifier)
        if (target === undefined) throw new Unsupported(node.type)
        return within(node.children, { type: 'link', attrs: { href: target.url, title: target.title ?? null } })
      }
      case 'image':
        return [image(node.url, node.alt, node.title, withMarks)]
      case 'imageReference': {
        const target = definitions.get(node.identifier)
        if (target === undefined) throw new Unsupported(node.type)
        return [image(target.url, node.alt, target.title, withMarks)]
      }
      default:
        throw new Unsupported(node.type)
    }
  })
}

const image = (
  src: string,
  alt: string | null | undefined,
  title: string | null | undefined,
  marked: Pick<DocNode, 'marks'>,
): DocNode => ({ type: 'picture', attrs: { src, alt: alt ?? '', title: title ?? null }, ...marked })
