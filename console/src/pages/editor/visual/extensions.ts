import { Extension, type Extensions, Node } from '@tiptap/core'
import { Code } from '@tiptap/extension-code'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table'
import { Placeholder } from '@tiptap/extensions'
import StarterKit from '@tiptap/starter-kit'
import { SOURCE } from '../../../markdown/document.ts'
import type { EditorWords } from '../words.ts'

/** Returns the extensions of the visual view, which holds as much as Markdown can. */
export function extensions(words: EditorWords['visual']): Extensions {
  return [
    StarterKit.configure({
      code: false,
      underline: false,
      link: {
        openOnClick: false,
        defaultProtocol: 'https',
        HTMLAttributes: { target: null, rel: 'noopener noreferrer' },
      },
    }),
    // Code can be bold in Markdown.
    Code.extend({ excludes: '' }),
    Tightness,
    TaskList,
    TaskItem.configure({ nested: true, a11y: { checkboxLabel: (node) => node.textContent || words.task } }),
    // The extension's own drawing sets widths by style attributes, which the policy of the pages forbids.
    Table.extend({ renderHTML: () => ['table', ['tbody', 0]], addNodeView: () => null }),
    TableRow,
    TableHeader.extend({ content: 'paragraph' }),
    TableCell.extend({ content: 'paragraph' }),
    picture(words.picture),
    source(words.markdownOnly),
    Placeholder.configure({ placeholder: words.placeholder }),
  ]
}

/** Attribute of lists: whether no blank lines separate their items. */
const Tightness = Extension.create({
  name: 'tightness',
  addGlobalAttributes: () => [
    { types: ['bulletList', 'orderedList', 'taskList'], attributes: { tight: { default: true, rendered: false } } },
  ],
})

/**
 * Makes the node of a picture by its address. The policy lets the pages load none, so its description stands for it.
 */
const picture = (label: (text: string) => string) =>
  Node.create({
    name: 'picture',
    group: 'inline',
    inline: true,
    atom: true,
    addAttributes: () => ({ src: { default: '' }, alt: { default: '' }, title: { default: null } }),
    parseHTML: () => [
      {
        tag: 'img[src]',
        getAttrs: (element) => {
          const src = element.getAttribute('src') ?? ''
          return /^https?:/i.test(src) ? { src, alt: element.getAttribute('alt') ?? '' } : false
        },
      },
    ],
    renderHTML: ({ node }) => [
      'span',
      { class: 'picture', title: String(node.attrs.src) },
      label(String(node.attrs.alt || node.attrs.src)),
    ],
  })

/** Makes the node of Markdown that the visual view cannot hold, which it shows as source. */
const source = (label: string) =>
  Node.create({
    name: SOURCE,
    group: 'block',
    atom: true,
    addAttributes: () => ({ text: { default: '' } }),
    parseHTML: () => [
      { tag: 'pre[data-source]', priority: 100, getAttrs: (element) => ({ text: element.textContent }) },
    ],
    renderHTML: ({ node }) => [
      'pre',
      { class: 'source-block', 'data-source': label },
      ['code', String(node.attrs.text)],
    ],
  })
