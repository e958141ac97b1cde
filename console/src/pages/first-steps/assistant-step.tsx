import { useState } from 'react'
import type { Assistant } from '../connect/choices.ts'
import { ConnectAssistant } from '../connect/connect-assistant.tsx'
import { useFirstStepsWords } from './words.ts'
import '../connect/page.css'

/** Shows the page for connecting, as the last step. */
export function AssistantStep() {
  const words = useFirstStepsWords()
  const [assistant, setAssistant] = useState<Assistant>('claude')
  return (
    <>
      <p>{words.assistantText}</p>
      <ConnectAssistant assistant={assistant} onAssistant={setAssistant} />
    </>
  )
}
