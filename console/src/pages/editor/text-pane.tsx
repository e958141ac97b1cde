import { lazy, Suspense, useId, useState } from 'react'
import { lazyFile } from '../../api/lazy-file.ts'
import { LazyBoundary, PartGone } from '../../parts/feedback/lazy-boundary.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { useEditorWords } from './words.ts'
import { ViewChoice, type View } from './view-choice.tsx'

const VisualEditor = lazy(() => lazyFile(() => import('./visual/visual-editor.tsx')))

/** A longer text takes too long to be drawn at every key. */
const VISUAL_MAX = 200_000
const KEPT_VIEW = 'editor-view'

/** The text of the entry in one of two views. Markdown is what is stored; both show the same text. */
export function TextPane(props: {
  readonly text: string
  readonly lang: string
  /** Another one shows the text anew. */
  readonly textKey: number
  readonly fault: string | null
  readonly flush: { current: () => string | null }
  /** Called at each key, before the text is there. */
  readonly onTouch: () => void
  readonly onChange: (text: string) => void
}) {
  const { text, lang, textKey, fault, flush, onTouch, onChange } = props
  const words = useEditorWords()
  const id = useId()
  const isLong = text.length > VISUAL_MAX
  const [view, setView] = useState<View>(() => (isLong ? 'markdown' : keptView()))
  const [lost, setLost] = useState(0)
  const choose = (next: View): void => {
    const written = flush.current()
    if (written !== null) onChange(written)
    keepView(next)
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
      {lost === 0 ? null : (
        <Notice tone="warning" role="alert">
          {words.lostPictures(lost)}
        </Notice>
      )}
      <div className={fault === null ? 'text-frame' : 'text-frame text-frame-fault'}>
        {view === 'visual' ? (
          // Without its file, the text is still there to be written on and saved.
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
                onLostPictures={setLost}
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

function keptView(): View {
  try {
    return localStorage.getItem(KEPT_VIEW) === 'markdown' ? 'markdown' : 'visual'
  } catch {
    return 'visual'
  }
}

function keepView(view: View): void {
  try {
    localStorage.setItem(KEPT_VIEW, view)
  } catch {}
}
