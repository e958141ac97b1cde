import { getRouteApi } from '@tanstack/react-router'
import { Page } from '../../parts/layout/page.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import type { Kind } from './choices.ts'
import { ConnectAssistant } from './connect-assistant.tsx'
import { Programs } from './programs.tsx'
import { useConnectWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/connect')

/** Connects assistants of people, and programs. */
export function ConnectPage() {
  const words = useConnectWords()
  const { kind = 'assistants', assistant } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page title={words.title} intro={words.intro}>
      <Tabs<Kind>
        label={words.kinds}
        chosen={kind}
        onChoose={(chosen) => {
          if (chosen !== kind) void navigate({ search: chosen === 'programs' ? { kind: chosen } : {} })
        }}
        tabs={[
          {
            id: 'assistants',
            name: words.assistants,
            content: (
              <ConnectAssistant
                assistant={assistant ?? 'claude'}
                onAssistant={(chosen) =>
                  void navigate({ search: chosen === 'claude' ? {} : { assistant: chosen }, resetScroll: false })
                }
              />
            ),
          },
          { id: 'programs', name: words.programs, content: <Programs /> },
        ]}
      />
    </Page>
  )
}
