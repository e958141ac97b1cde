import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { createContext, type ReactNode, use, useMemo } from 'react'
import { type Grade, judgedQueriesQuery, useJudge } from '../../api/judged-sets.ts'
import { ToggleButton } from '../../parts/layout/button.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import type { LabHit } from './queries.ts'
import { useLaboratoryWords } from './words.ts'

const route = getRouteApi('/signed-in/console/laboratory')
const GRADES: readonly Grade[] = [2, 1, 0]

interface Judge {
  readonly gradeOf: (id: string) => number | undefined
  readonly judge: (id: string, grade: Grade | null) => void
}

const JudgeContext = createContext<Judge | null>(null)

/** Lets people judge the hits inside it, if a judged set is chosen. A hit has one judgment for all modes. */
export function JudgeProvider({ children }: { readonly children: ReactNode }) {
  const { set } = route.useSearch()
  return set === undefined ? children : <SetJudgeProvider setId={set}>{children}</SetJudgeProvider>
}

function SetJudgeProvider({ setId, children }: { readonly setId: string; readonly children: ReactNode }) {
  const words = useLaboratoryWords()
  const { q = '' } = route.useSearch()
  const { data: queries } = useQuery(judgedQueriesQuery(setId))
  const change = useJudge(setId)
  const { mutate } = change
  const judge = useMemo((): Judge => {
    const judged = queries?.find(({ query }) => query === q)?.judgments ?? []
    const grades = new Map(judged.map(({ id, grade }) => [id, grade]))
    return { gradeOf: (id) => grades.get(id), judge: (id, grade) => mutate({ query: q, id, grade }) }
  }, [queries, q, mutate])
  return (
    <JudgeContext value={judge}>
      {change.isError ? (
        <Notice tone="danger" role="alert">
          {words.notSaved}
        </Notice>
      ) : null}
      {children}
    </JudgeContext>
  )
}

/** Shows buttons for right, so-so and wrong. A second press of the same button takes the judgment back. */
export function JudgeButtons({ hit }: { readonly hit: LabHit }) {
  const words = useLaboratoryWords()
  const judging = use(JudgeContext)
  if (judging === null) return null
  const chosen = judging.gradeOf(hit.id)
  return (
    <div className="lab-judge" role="group" aria-label={words.judge(hit.title)}>
      {GRADES.map((grade) => (
        <ToggleButton
          key={grade}
          isOn={chosen === grade}
          onChange={(isOn) => judging.judge(hit.id, isOn ? grade : null)}
        >
          {words.grades[grade]}
        </ToggleButton>
      ))}
    </div>
  )
}
