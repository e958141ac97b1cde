import type { AlignType, BlockContent, ListItem, Nodes, PhrasingContent, TableCell } from 'mdast'
import { type DocNode, type Mark, textAttribute } from './document.ts'

/**
 * Returns a block of the visual editor as a node of Markdown; null for an empty line, which Markdown has no node for.
 */
export function blockFromDocument(node: DocNode): Nodes | null {
  const { type, attrs = {}, content = [] } = node
  switch (type) {
    case 'paragraph': {
      const children = inline(content)
      return children.length === 0 ? null : { type: 'paragraph', children }
    }
    case 'heading':
      return { type: 'heading', depth: attrs.level as 1, children: inline(content) }
    case 'blockquote':
      return { type: 'blockquote', children: blocks(content) }
    case 'codeBlock': {
      const info = typeof attrs.language === 'string' ? attrs.language.trim() : ''
      const [lang = '', ...meta] = info.split(' ')
      return {
        type: 'code',
        lang: lang === '' ? null : lang,
        meta: meta.length === 0 ? null : meta.join(' '),
        value: content.map(({ text = '' }) => text).join(''),
      }
    }
    case 'horizontalRule':
      return { type: 'thematicBreak' }
    case 'bulletList':
    case 'orderedList':
    case 'taskList':
      return list(node)
    case 'table':
      return table(content)
    default:
      throw new Error(`Markdown has no ${type}`)
  }
}

const blocks = (nodes: readonly DocNode[]): BlockContent[] =>
  nodes.map(blockFromDocument).filter((node) => node !== null) as BlockContent[]

function list({ type, attrs = {}, content = [] }: DocNode): Nodes {
  const items = content.map((item): ListItem => {
    const checked = type === 'taskList' ? item.attrs?.checked === true : null
    return { type: 'listItem', checked, spread: false, children: blocks(item.content ?? []) }
  })
  // Two paragraphs in an item need a blank line between them.
  const isLoose = attrs.tight === false || items.some(({ children }) => hasNeighbours(children))
  return {
    type: 'list',
    ordered: type === 'orderedList',
    start: type === 'orderedList' ? Number(attrs.start ?? 1) : null,
    spread: isLoose,
    children: items.map((item) => ({ ...item, spread: isLoose })),
  }
}

const hasNeighbours = (children: ListItem['children']): boolean =>
  children.some(({ type }, i) => type === 'paragraph' && children[i + 1]?.type === 'paragraph')

function table(rows: readonly DocNode[]): Nodes {
  const align = (rows[0]?.content ?? []).map(({ attrs }) => (attrs?.align ?? null) as AlignType)
  return {
    type: 'table',
    align,
    children: rows.map((row) => ({
      type: 'tableRow',
      children: (row.content ?? []).map((cell): TableCell => ({
        type: 'tableCell',
        // A row of Markdown is one line.
        children: inline(
          (cell.content ?? []).flatMap(({ content = [] }, i) => (i === 0 ? content : [BLANK, ...content])),
        ),
      })),
    })),
  }
}

const BLANK: DocNode = { type: 'text', text: ' ' }

/** Returns the text of a block. Marks that continue from one piece to the next become one node around both. */
function inline(nodes: readonly DocNode[]): PhrasingContent[] {
  return inMarks(withoutEdges(withoutMarkedSpaces(nodes)), 0)
}

const isBlank = (node: DocNode | undefined): boolean => node?.type === 'text' && node.text?.trim() === ''

/** Moves spaces at the edges of a mark out of it: `**bold **` would not be bold. Code keeps its spaces. */
function withoutMarkedSpaces(nodes: readonly DocNode[]): readonly DocNode[] {
  return nodes.flatMap((node): readonly DocNode[] => {
    const { text, marks = [] } = node
    if (text === undefined || marks.length === 0 || marks.some(({ type }) => type === 'code')) return [node]
    const [, before = '', middle = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(text) ?? []
    const mayHoldSpaces = (type: string): boolean => type === 'link'
    const outside = marks.filter((mark) => mayHoldSpaces(mark.type))
    const blank = (space: string): DocNode[] =>
      space === '' ? [] : [{ type: 'text', text: space, ...(outside.length === 0 ? {} : { marks: outside }) }]
    return middle === '' ? blank(text) : [...blank(before), { ...node, text: middle }, ...blank(after)]
  })
}

/** Removes spaces and line breaks at the beginning and the end of a block, as Markdown does. */
function withoutEdges(nodes: readonly DocNode[]): readonly DocNode[] {
  const isDropped = (node: DocNode | undefined): boolean => isBlank(node) || node?.type === 'hardBreak'
  let [first, last] = [0, nodes.length]
  while (first < last && isDropped(nodes[first])) first++
  while (last > first && isDropped(nodes[last - 1])) last--
  const trimmed = nodes.slice(first, last).map((node, i, all) => {
    if (node.text === undefined || node.marks?.some(({ type }) => type === 'code') === true) return node
    const from = i === 0 ? node.text.trimStart() : node.text
    return { ...node, text: i === all.length - 1 ? from.trimEnd() : from }
  })
  return trimmed
}

function inMarks(nodes: readonly DocNode[], depth: number): PhrasingContent[] {
  const children: PhrasingContent[] = []
  for (let i = 0; i < nodes.length;) {
    const node = nodes[i]!
    const mark = ordered(node)[depth]
    if (mark === undefined) {
      append(children, leaf(node))
      i++
      continue
    }
    let end = i + 1
    while (end < nodes.length && sameMark(ordered(nodes[end]!)[depth], mark)) end++
    children.push(inMark(mark, inMarks(nodes.slice(i, end), depth + 1)))
    i = end
  }
  return children
}

const OUTERMOST_FIRST = ['link', 'bold', 'italic', 'strike']

/** Returns the marks of a node from the outermost. Code is not among them: it is a leaf. */
const ordered = ({ marks = [] }: DocNode): readonly Mark[] =>
  marks
    .filter(({ type }) => OUTERMOST_FIRST.includes(type))
    .sort((one, other) => OUTERMOST_FIRST.indexOf(one.type) - OUTERMOST_FIRST.indexOf(other.type))

const sameMark = (one: Mark | undefined, other: Mark): boolean =>
  one?.type === other.type && one.attrs?.href === other.attrs?.href && one.attrs?.title === other.attrs?.title

function inMark(mark: Mark, children: PhrasingContent[]): PhrasingContent {
  const { type } = mark
  if (type === 'bold') return { type: 'strong', children }
  if (type === 'italic') return { type: 'emphasis', children }
  if (type === 'strike') return { type: 'delete', children }
  const title = textAttribute(mark, 'title') || null
  // Markdown has no link within a link.
  return { type: 'link', url: textAttribute(mark, 'href'), title, children }
}

function leaf(node: DocNode): PhrasingContent {
  const { type, text = '', marks = [] } = node
  if (type === 'hardBreak') return { type: 'break' }
  if (type === 'picture') {
    const title = textAttribute(node, 'title') || null
    return { type: 'image', url: textAttribute(node, 'src'), alt: textAttribute(node, 'alt'), title }
  }
  return { type: marks.some((mark) => mark.type === 'code') ? 'inlineCode' : 'text', value: text }
}

/** Appends a node; a text after a text becomes one with it. */
function append(siblings: PhrasingContent[], node: PhrasingContent): void {
  const before = siblings.at(-1)
  if (node.type === 'text' && before?.type === 'text')
    siblings[siblings.length - 1] = { ...before, value: before.value + node.value }
  else siblings.push(node)
}
