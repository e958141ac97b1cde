import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'
import { Switch } from '../../parts/fields/checkbox.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { tenantSettingsQuery, useLetAssistants } from './queries.ts'
import { useConnectWords } from './words.ts'

/** Shows whether assistants may connect. Administrators decide; other people read whom to ask. */
export function Permission() {
  const words = useConnectWords()
  return (
    <Section title={words.permission}>
      {useMay('tenant:admin') ? <Decision /> : <p className="quiet">{words.askAdministrator}</p>}
    </Section>
  )
}

function Decision() {
  const common = useWords()
  const words = useConnectWords()
  const settings = useQuery(tenantSettingsQuery)
  const permit = useLetAssistants()
  return (
    <QueryView query={settings} skeleton={<Skeleton lines={2} />}>
      {({ oauth_registration: registration }) => (
        <div className="stack">
          <Switch
            isOn={permit.isPending ? permit.variables : registration === 'open'}
            isDisabled={permit.isPending}
            onChange={(isOpen) => permit.mutate(isOpen)}
            help={words.letHelp}
          >
            {words.let}
          </Switch>
          {permit.isError ? (
            <Notice tone="danger" role="alert">
              {faultText(permit.error, common)}
            </Notice>
          ) : null}
        </div>
      )}
    </QueryView>
  )
}
