import { Check } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '../../parts/layout/button.tsx'
import { AssistantStep } from './assistant-step.tsx'
import { ContentStep } from './content-step.tsx'
import { InviteStep } from './invite-step.tsx'
import { NameStep } from './name-step.tsx'
import { SearchStep } from './search-step.tsx'
import type { Step } from './step-names.ts'
import { useFirstStepsWords } from './words.ts'

/** Shows one step: its name opens it, and a tick says that it is done. */
export function StepCard(props: {
  readonly step: Step
  readonly number: number
  readonly isDone: boolean
  readonly isOpen: boolean
  readonly onOpen: () => void
  /** Leads to the next step; absent at the last one. */
  readonly onNext?: () => void
}) {
  const { step, number, isDone, isOpen, onOpen, onNext } = props
  const words = useFirstStepsWords()
  const panel = `first-step-${step}`
  const title = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    // The focus moves to the name of the next step, so that it is read out. The page itself begins at its heading.
    if (isOpen && !wasOpen.current) title.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <section className={isOpen ? 'first-step first-step-open' : 'first-step'} aria-labelledby={`${panel}-title`}>
      <h2 id={`${panel}-title`}>
        <button
          ref={title}
          type="button"
          className="first-step-title"
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={onOpen}
        >
          <span className={isDone ? 'first-step-mark first-step-done' : 'first-step-mark'} aria-hidden>
            {isDone ? <Check size={16} strokeWidth={3} /> : number}
          </span>
          <span>{words.steps[step]}</span>
          {isDone ? <span className="only-read-out"> {words.done}</span> : null}
        </button>
      </h2>
      {isOpen ? (
        <div id={panel} className="first-step-body">
          {contentOf(step, onNext)}
          {onNext === undefined ? null : (
            <div className="row first-step-foot">
              <Button kind={isDone ? 'main' : 'quiet'} onPress={onNext}>
                {isDone ? words.next : words.skip}
              </Button>
            </div>
          )}
        </div>
      ) : null}
    </section>
  )
}

function contentOf(step: Step, onDone: (() => void) | undefined): ReactNode {
  switch (step) {
    case 'name':
      return <NameStep onDone={onDone} />
    case 'content':
      return <ContentStep />
    case 'search':
      return <SearchStep />
    case 'invite':
      return <InviteStep />
    case 'assistant':
      return <AssistantStep />
  }
}
