import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { OauthGrant } from '../../api/oauth-clients.ts'
import { useSession } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { liveGrantsQuery } from './queries.ts'
import { useConnectWords } from './words.ts'

/** Shows when an assistant connects, without a reload. */
export function Connections() {
  const words = useConnectWords()
  const grants = useQuery(liveGrantsQuery)
  return (
    <Section title={words.connected}>
      <QueryView query={grants}>{(all) => <State grants={all} />}</QueryView>
    </Section>
  )
}

function State({ grants }: { readonly grants: readonly OauthGrant[] }) {
  const words = useConnectWords()
  const { formats } = useLanguage()
  const { user } = useSession()
  // Grants that existed when the page was opened are no news.
  const [before] = useState<ReadonlySet<string>>(() => new Set(grants.map(({ id }) => id)))
  const fresh = grants.filter(({ id }) => !before.has(id))
  const others = [...new Set(grants.map(({ client_name: name }) => name))]
  return (
    <div className="stack">
      {/* Screen readers follow what is in a status from the beginning. */}
      <div role="status">
        {fresh.length === 0 ? (
          <p className="connect-waiting">{words.waiting}</p>
        ) : (
          fresh.map(({ id, client_name: name, user: person }) => (
            <Notice key={id} tone="success">
              <p>
                <strong>
                  {person === null || person.id === user.id ? words.arrived(name) : words.arrivedFor(name, person.name)}
                </strong>
              </p>
              <p>{words.tryIt}</p>
            </Notice>
          ))
        )}
      </div>
      {others.length === 0 ? null : (
        <p className="quiet">
          {words.already(formats.list(others))} <Link to="/console/settings/oauth-clients">{words.manage}</Link>
        </p>
      )}
    </div>
  )
}
