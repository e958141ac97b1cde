import { useQuery } from '@tanstack/react-query'
import { assistantAddressQuery } from '../../api/oauth-clients.ts'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { ASSISTANTS, type Assistant } from './choices.ts'
import { configurationOf } from './configurations.ts'
import { Connections } from './connections.tsx'
import { Permission } from './permission.tsx'
import { useConnectWords } from './words.ts'

/**
 * Leads through the connection of one assistant: the permission, the text to enter, and whether the assistant has
 * connected.
 */
export function ConnectAssistant(props: {
  readonly assistant: Assistant
  readonly onAssistant: (assistant: Assistant) => void
}) {
  const { assistant, onAssistant } = props
  const words = useConnectWords()
  const address = useQuery(assistantAddressQuery)
  return (
    <div className="connect">
      <Permission />
      <Section title={words.setUp}>
        <Select
          label={words.assistant}
          chosen={assistant}
          choices={ASSISTANTS.map((id) => ({ id, name: words.names[id] }))}
          onChoose={onAssistant}
        />
        <QueryView query={address}>{(at) => <Steps assistant={assistant} address={at} />}</QueryView>
      </Section>
      <Connections />
    </div>
  )
}

function Steps({ assistant, address }: { readonly assistant: Assistant; readonly address: string }) {
  const words = useConnectWords()
  const { kind, text } = configurationOf(assistant, address)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(address).hostname)
  return (
    <>
      <ol className="connect-steps">
        {words.steps[assistant].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <CodeBlock label={words.texts[kind]} text={text} />
      {isLocal && (assistant === 'claude' || assistant === 'chatgpt') ? (
        <p className="second">{words.needsInternet(words.names[assistant])}</p>
      ) : null}
    </>
  )
}
