import { useQuery } from '@tanstack/react-query'
import { assistantAddressQuery, grantsQuery, type OauthGrant } from '../../api/oauth-clients.ts'
import { useWords } from '../../i18n/language.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Permissions } from '../../parts/session/permissions.tsx'
import { Person } from '../../parts/text/person.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { Day } from '../../parts/text/time.tsx'
import { useOauthWords } from './words.ts'

/** Lists the grants: which person allowed which application what. */
export function GrantSection({ onRevoke }: { readonly onRevoke: (grant: OauthGrant) => void }) {
  const oauth = useOauthWords()
  const grants = useQuery(grantsQuery)
  const { data: address } = useQuery(assistantAddressQuery)
  const help = address === undefined ? oauth.grantsHelp : `${oauth.grantsHelp} ${oauth.connectTo(address)}`
  return (
    <Section title={oauth.grants} help={help}>
      <QueryView query={grants}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={oauth.noGrants} help={oauth.noGrantsHelp} />
          ) : (
            <GrantTable grants={list} onRevoke={onRevoke} />
          )
        }
      </QueryView>
    </Section>
  )
}

function GrantTable(props: { readonly grants: readonly OauthGrant[]; readonly onRevoke: (grant: OauthGrant) => void }) {
  const words = useWords()
  const oauth = useOauthWords()
  return (
    <Table
      label={oauth.grants}
      rows={props.grants}
      keyOf={({ id }) => id}
      columns={[
        { head: oauth.application, cell: ({ client_name }) => <span className="wrap">{client_name}</span> },
        { head: oauth.person, cell: ({ user }) => <Person person={user} none={oauth.noPerson} /> },
        { head: oauth.permissions, cell: ({ scopes }) => <Permissions scopes={scopes} /> },
        { head: oauth.since, cell: ({ created_at }) => <Day iso={created_at} /> },
        { head: oauth.until, cell: ({ expires_at }) => <Day iso={expires_at} none={words.never} /> },
        {
          head: words.actions,
          isActions: true,
          cell: (grant) => (
            <button
              type="button"
              className="button button-small"
              aria-label={oauth.disconnectNamed(grant.client_name)}
              onClick={() => props.onRevoke(grant)}
            >
              {oauth.disconnect}
            </button>
          ),
        },
      ]}
    />
  )
}
