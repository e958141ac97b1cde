import { Editor, type JSONContent } from '@tiptap/core'
import { useEffect, useRef, useState } from 'react'
import type { DocNode } from '../../../markdown/document.ts'
import { openVisual, type Visual, writeVisual } from '../../../markdown/visual.ts'
import { useEditorWords } from '../words.ts'
import { extensions } from './extensions.ts'
import { paste } from './paste.ts'
import { FormatBar } from './format-bar.tsx'

/** The text is written this long after the last key. */
const WRITTEN_AFTER_MS = 250

interface VisualEditorProps {
  readonly text: string
  readonly label: string
  readonly lang: string
  /** Called at each key, before the text is there. */
  readonly onTouch: () => void
  readonly onChange: (text: string) => void
  readonly onLostPictures: (count: number) => void
  /** Given what writes the last keys at once, before a save. */
  readonly flush: { current: () => string | null }
}

/** The visual view of a text in Markdown. */
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
    const made = new Editor({
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
    const stop = writing(made, opened, latest, flush)
    setEditor(made)
    return () => {
      stop()
      made.destroy()
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

/** Passes on what is typed, as Markdown, once the keys rest. @returns passes on the rest and ends that */
function writing(
  editor: Editor,
  opened: Visual,
  latest: { readonly current: VisualEditorProps },
  flush: { current: () => string | null },
): () => void {
  const nodesNow = (): readonly DocNode[] => (editor.getJSON().content ?? []) as DocNode[]
  const shown = nodesNow()
  let timer: ReturnType<typeof setTimeout> | undefined
  const write = (): string | null => {
    if (timer === undefined) return null
    clearTimeout(timer)
    timer = undefined
    const text = writeVisual(opened, shown, nodesNow())
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
