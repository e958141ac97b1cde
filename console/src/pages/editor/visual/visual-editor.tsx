import { Editor, type JSONContent } from '@tiptap/core'
import { useEffect, useRef, useState } from 'react'
import type { DocNode } from '../../../markdown/document.ts'
import { openVisual, type Visual, writeVisual } from '../../../markdown/visual.ts'
import { useEditorWords } from '../words.ts'
import { extensions } from './extensions.ts'
import { paste } from './paste.ts'
import { FormatBar } from './format-bar.tsx'

/** Time after the last key until the text is written. */
const WRITTEN_AFTER_MS = 250

interface VisualEditorProps {
  readonly text: string
  readonly label: string
  readonly lang: string
  /** Called at each key, before `onChange` has the text. */
  readonly onTouch: () => void
  readonly onChange: (text: string) => void
  readonly onLostPictures: (count: number) => void
  /** Set to a function that writes the last keys at once, before a save. */
  readonly flush: { current: () => string | null }
}

/** Shows the visual view of a text in Markdown. */
export default function VisualEditor(props: VisualEditorProps) {
  const words = useEditorWords()
  const place = useRef<HTMLDivElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const { text, label, lang, flush } = latest.current
    const opened = openVisual(text)
    const newEditor = new Editor({
      element: place.current,
      injectCSS: false,
      extensions: [...extensions(words.visual), paste((count) => latest.current.onLostPictures(count))],
      content: {
        type: 'doc',
        content: opened.nodes.length === 0 ? [{ type: 'paragraph' }] : [...opened.nodes],
      } as JSONContent,
      editorProps: {
        attributes: { class: 'reading editor-text', 'aria-label': label, lang, spellcheck: 'true' },
        handleKeyDown: (_view, event) => {
          // Tab belongs to lists and tables, so Escape leads out.
          if (event.key !== 'Escape') return false
          bar.current?.querySelector<HTMLElement>('button:not([disabled])')?.focus()
          return true
        },
      },
    })
    const stop = writing(newEditor, opened, latest, flush)
    setEditor(newEditor)
    return () => {
      stop()
      newEditor.destroy()
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a text from outside comes with another key
  }, [])
  return (
    <>
      {editor === null ? null : <FormatBar editor={editor} barRef={bar} />}
      <div ref={place} className="editor-place" />
    </>
  )
}

/** Passes on the typed text, as Markdown, once the keys rest. @returns function that passes on the rest and stops */
function writing(
  editor: Editor,
  opened: Visual,
  latest: { readonly current: VisualEditorProps },
  flush: { current: () => string | null },
): () => void {
  const nodesNow = (): readonly DocNode[] => (editor.getJSON().content ?? []) as DocNode[]
  const openedNodes = nodesNow()
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = (): string | null => {
    if (timer === undefined) return null
    clearTimeout(timer)
    timer = undefined
    const text = writeVisual(opened, openedNodes, nodesNow())
    latest.current.onChange(text)
    return text
  }
  editor.on('update', () => {
    latest.current.onTouch()
    clearTimeout(timer)
    timer = setTimeout(write, WRITTEN_AFTER_MS)
  })
  flush.current = write
  return () => {
    write()
    flush.current = () => null
  }
}
