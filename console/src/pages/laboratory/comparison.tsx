import { getRouteApi } from '@tanstack/react-router'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { WriteMissing } from '../editor/write-missing.tsx'
import { HitCard } from './hit.tsx'
import { JudgeProvider } from './judge.tsx'
import type { ModeComparison, ModeAnswer } from './queries.ts'
import { WHY_FIELD } from './lab-search.ts'
import { useLaboratoryWords } from './words.ts'

const route = getRouteApi('/signed-in/console/laboratory')

/** Shows the answers of the three modes side by side; one below the other on narrow screens. */
export function Comparison({ compared, isStale }: { readonly compared: ModeComparison; readonly isStale: boolean }) {
  const words = useLaboratoryWords()
  const { q = '', section } = route.useSearch()
  const { answers } = compared
  return (
    <JudgeProvider>
      {answers.some(({ degraded }) => degraded) ? (
        <Notice tone="warning" role="status">
          {words.degraded}
        </Notice>
      ) : null}
      <Legend />
      {section === 'knowledge' && answers.every(({ hits }) => hits.length === 0) ? (
        <p>
          <WriteMissing title={q} />
        </p>
      ) : null}
      <div className={isStale ? 'laboratory-modes stale' : 'laboratory-modes'} aria-busy={isStale}>
        {answers.map((answer) => (
          <ModeColumn key={answer.mode} answer={answer} />
        ))}
      </div>
    </JudgeProvider>
  )
}

function ModeColumn({ answer }: { readonly answer: ModeAnswer }) {
  const { formats } = useLanguage()
  const words = useLaboratoryWords()
  const { mode, hits, total, duration_ms } = answer
  const { name, help } = words.modes[mode]
  const highest = Math.max(...hits.map(({ score }) => score), Number.EPSILON)
  return (
    <section className="laboratory-mode" aria-labelledby={`mode-${mode}`}>
      <div className="laboratory-mode-head">
        <h2 id={`mode-${mode}`}>{name}</h2>
        <p className="second">{help}</p>
        <p className="second" role="status">
          {words.results(formats.number(total), formats.number(Math.round(duration_ms)))}
        </p>
      </div>
      {hits.length === 0 ? (
        <p className="quiet">{words.nothing}</p>
      ) : (
        <ol className="plain-list">
          {hits.map((hit) => (
            <HitCard key={hit.id} hit={hit} mode={mode} highest={highest} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Legend() {
  const words = useLaboratoryWords()
  return (
    <div className="laboratory-legend">
      {(['meaning', 'words', 'other'] as const).map((part) => (
        <span key={part} className="laboratory-key">
          <span className={`swatch part-${part}`} aria-hidden /> {words.parts[part]}
        </span>
      ))}
      <span className="second">{words.extraHelp}</span>
      <Button
        kind="quiet"
        size="small"
        onPress={() => document.querySelector<HTMLElement>(`[name=${WHY_FIELD}]`)?.focus()}
      >
        {words.missing}
      </Button>
    </div>
  )
}
