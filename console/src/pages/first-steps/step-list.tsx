import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { FinishNotice } from './finish-notice.tsx'
import { StepCard } from './step-card.tsx'
import { STEPS, type Step } from './step-names.ts'
import { useFirstStepsWords } from './words.ts'

const route = getRouteApi('/signed-in/console/first-steps')

/** Shows all steps, of which one is open. */
export function StepList({ done }: { readonly done: Readonly<Record<Step, boolean>> }) {
  const words = useFirstStepsWords()
  const { step: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  // The step stays open when it is done meanwhile: people go on when they have seen its outcome.
  const [firstOpen] = useState(() => STEPS.find((step) => !done[step]))
  const open = chosen ?? firstOpen
  const go = (step: Step): void => void navigate({ search: { step }, resetScroll: false })
  return (
    <div className="first-steps">
      <p role="status" className="quiet">
        {words.progress(STEPS.filter((step) => done[step]).length, STEPS.length)}
      </p>
      {STEPS.every((step) => done[step]) ? <FinishNotice /> : null}
      <ol className="first-steps-list">
        {STEPS.map((step, i) => {
          const next = STEPS.slice(i + 1).find((each) => !done[each]) ?? STEPS[i + 1]
          return (
            <li key={step}>
              <StepCard
                step={step}
                number={i + 1}
                isDone={done[step]}
                isOpen={step === open}
                onOpen={() => go(step)}
                onNext={next === undefined ? undefined : () => go(next)}
              />
            </li>
          )
        })}
      </ol>
    </div>
  )
}
