import { lazy, Suspense, useId, useState } from 'react'
import { lazyFile } from '../../api/lazy-file.ts'
import { LazyBoundary, PartGone } from '../../parts/feedback/lazy-boundary.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { useEditorWords } from './words.ts'
import { ViewChoice, type View } from './view-choice.tsx'

const VisualEditor = lazy(() => lazyFile(() => import('./visual/visual-editor.tsx')))

/** Most characters of a text in the visual view; a longer one takes too long to be drawn at every key. */
const VISUAL_MAX = 200_000
const VIEW_KEY = 'editor-view'

/** Shows the text of the entry in one of two views. Markdown is stored; both views show the same text. */
export function TextPane(props: {
  readonly text: string
  readonly lang: string
  /** Key of the text; another key shows the text anew. */
  readonly textKey: number
  readonly fault: string | null
  readonly flush: { current: () => string | null }
  /** Called at each key, before `onChange` has the text. */
  readonly onTouch: () => void
  readonly onChange: (text: string) => void
}) {
  const { text, lang, textKey, fault, flush, onTouch, onChange } = props
  const words = useEditorWords()
  const id = useId()
  const isLong = text.length > VISUAL_MAX
  const [view, setView] = useState<View>(() => (isLong ? 'markdown' : storedView()))
  const [lostPictures, setLostPictures] = useState(0)
  const choose = (next: View): void => {
    const written = flush.current()
    if (written !== null) onChange(written)
    storeView(next)
    setView(next)
  }
  const source = (
    <textarea
      className="code markdown-text"
      aria-label={words.text}
      aria-invalid={fault === null ? undefined : true}
      aria-describedby={fault === null ? undefined : id}
      lang={lang}
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  )
  return (
    <section className="text-pane" aria-label={words.text}>
      <ViewChoice view={view} onChoose={choose} isVisualOff={isLong} />
      {lostPictures === 0 ? null : (
        <Notice tone="warning" role="alert">
          {words.lostPictures(lostPictures)}
        </Notice>
      )}
      <div className={fault === null ? 'text-frame' : 'text-frame text-frame-fault'}>
        {view === 'visual' ? (
          // Without the file of the visual view, the text can still be edited and saved.
          <LazyBoundary
            fallback={
              <>
                <PartGone />
                {source}
              </>
            }
          >
            <Suspense fallback={<Skeleton lines={8} />}>
              <VisualEditor
                key={textKey}
                text={text}
                label={words.text}
                lang={lang}
                flush={flush}
                onTouch={onTouch}
                onChange={onChange}
                onLostPictures={setLostPictures}
              />
            </Suspense>
          </LazyBoundary>
        ) : (
          source
        )}
      </div>
      {fault === null ? null : (
        <p className="field-fault" id={id}>
          {fault}
        </p>
      )}
    </section>
  )
}

function storedView(): View {
  try {
    return localStorage.getItem(VIEW_KEY) === 'markdown' ? 'markdown' : 'visual'
  } catch {
    return 'visual'
  }
}

function storeView(view: View): void {
  try {
    localStorage.setItem(VIEW_KEY, view)
  } catch {}
}
