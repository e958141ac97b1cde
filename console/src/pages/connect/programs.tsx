import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type IssuedKey } from '../../api/api-keys.ts'
import { assistantAddressQuery } from '../../api/oauth-clients.ts'
import { useMay } from '../../api/use-session.ts'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { clientLine, curlLine, mcpLine } from './commands.ts'
import { KeyMaker } from './key-maker.tsx'
import { useConnectWords } from './words.ts'

/** Gives a developer a key, a first request and the client. */
export function Programs() {
  const words = useConnectWords()
  const [issued, setIssued] = useState<IssuedKey | null>(null)
  const address = useQuery(assistantAddressQuery)
  const isAdmin = useMay('tenant:admin')
  return (
    <div className="connect">
      <Section title={words.key} help={words.keyHelp}>
        {isAdmin ? <KeyMaker issued={issued} onIssued={setIssued} /> : <p className="quiet">{words.askForKey}</p>}
      </Section>
      <QueryView query={address}>
        {(mcp) => {
          const base = mcp.replace(/\/mcp$/, '')
          const key = issued?.key ?? words.yourKey
          return (
            <>
              <Section title={words.request} help={words.requestHelp}>
                <CodeBlock label={words.request} text={curlLine(base, key, words.question)} copy={words.copyRequest} />
              </Section>
              <Section title={words.client} help={words.clientHelp}>
                <CodeBlock label={words.client} text={clientLine(base, words.question)} copy={words.copyClient} />
              </Section>
              <Section title={words.mcp} help={words.mcpHelp}>
                <CodeBlock label={words.mcp} text={mcpLine(mcp, key)} copy={words.copyMcp} />
              </Section>
            </>
          )
        }}
      </QueryView>
      <Section title={words.more}>
        <p>
          <a href="/docs" target="_blank" rel="noreferrer">
            {words.reference}
          </a>
        </p>
      </Section>
    </div>
  )
}
