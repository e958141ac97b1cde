import type { Editor } from '@tiptap/core'
import {
  Bold,
  Code,
  Heading2,
  Heading3,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Quote,
  Redo2,
  SquareCode,
  Strikethrough,
  Table,
  Undo2,
} from 'lucide-react'
import { type RefObject, useEffect, useReducer, useState } from 'react'
import { Button, Group, Separator, Toolbar } from 'react-aria-components'
import { type EditorWords, useEditorWords } from '../words.ts'
import { LinkDialog } from './link-dialog.tsx'
import { TableMenu } from './table-menu.tsx'

interface Tool {
  readonly id: keyof EditorWords['tools']
  readonly icon: LucideIcon
  readonly isOn?: (editor: Editor) => boolean
  readonly isOff?: (editor: Editor) => boolean
  readonly run: (editor: Editor) => void
}

const chain = (editor: Editor) => editor.chain().focus()

const GROUPS: readonly (readonly Tool[])[] = [
  [
    { id: 'undo', icon: Undo2, isOff: (e) => !e.can().undo(), run: (e) => chain(e).undo().run() },
    { id: 'redo', icon: Redo2, isOff: (e) => !e.can().redo(), run: (e) => chain(e).redo().run() },
  ],
  [
    {
      id: 'heading2',
      icon: Heading2,
      isOn: (e) => e.isActive('heading', { level: 2 }),
      run: (e) => chain(e).toggleHeading({ level: 2 }).run(),
    },
    {
      id: 'heading3',
      icon: Heading3,
      isOn: (e) => e.isActive('heading', { level: 3 }),
      run: (e) => chain(e).toggleHeading({ level: 3 }).run(),
    },
  ],
  [
    { id: 'bold', icon: Bold, isOn: (e) => e.isActive('bold'), run: (e) => chain(e).toggleBold().run() },
    { id: 'italic', icon: Italic, isOn: (e) => e.isActive('italic'), run: (e) => chain(e).toggleItalic().run() },
    { id: 'strike', icon: Strikethrough, isOn: (e) => e.isActive('strike'), run: (e) => chain(e).toggleStrike().run() },
    { id: 'code', icon: Code, isOn: (e) => e.isActive('code'), run: (e) => chain(e).toggleCode().run() },
  ],
  [
    { id: 'bullets', icon: List, isOn: (e) => e.isActive('bulletList'), run: (e) => chain(e).toggleBulletList().run() },
    {
      id: 'numbers',
      icon: ListOrdered,
      isOn: (e) => e.isActive('orderedList'),
      run: (e) => chain(e).toggleOrderedList().run(),
    },
    { id: 'tasks', icon: ListChecks, isOn: (e) => e.isActive('taskList'), run: (e) => chain(e).toggleTaskList().run() },
    { id: 'quote', icon: Quote, isOn: (e) => e.isActive('blockquote'), run: (e) => chain(e).toggleBlockquote().run() },
    {
      id: 'codeBlock',
      icon: SquareCode,
      isOn: (e) => e.isActive('codeBlock'),
      run: (e) => chain(e).toggleCodeBlock().run(),
    },
    {
      id: 'table',
      icon: Table,
      isOff: (e) => e.isActive('table'),
      run: (e) => chain(e).insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run(),
    },
  ],
]

/** Shows the tools that format the selected text. The arrow keys lead through it; Escape leads back into the text. */
export function FormatBar(props: { readonly editor: Editor; readonly barRef: RefObject<HTMLDivElement | null> }) {
  const { editor, barRef } = props
  const words = useEditorWords()
  const [isLinking, setLinking] = useState(false)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    editor.on('transaction', redraw)
    return () => void editor.off('transaction', redraw)
  }, [editor])
  const draw = ({ id, icon: Icon, isOn, isOff, run }: Tool) => (
    <Button
      key={id}
      className="button button-quiet button-icon button-small format"
      aria-label={words.tools[id]}
      aria-pressed={isOn?.(editor)}
      isDisabled={isOff?.(editor) ?? false}
      onPress={() => run(editor)}
    >
      <Icon className="icon" size={18} aria-hidden />
    </Button>
  )
  const link: Tool = { id: 'link', icon: Link, isOn: (e) => e.isActive('link'), run: () => setLinking(true) }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only passes the focus on
    <div
      ref={barRef}
      className="format-bar"
      onKeyDown={(event) => {
        if (event.key === 'Escape') editor.view.focus()
      }}
    >
      <Toolbar aria-label={words.tools.label}>
        {GROUPS.map((tools, i) => (
          <Group key={tools[0]?.id} className="format-group">
            {i === 0 ? null : <Separator orientation="vertical" className="format-line" />}
            {tools.map(draw)}
            {i === 2 ? draw(link) : null}
          </Group>
        ))}
        {editor.isActive('table') ? <TableMenu editor={editor} /> : null}
      </Toolbar>
      {isLinking ? <LinkDialog editor={editor} onClose={() => setLinking(false)} /> : null}
    </div>
  )
}
