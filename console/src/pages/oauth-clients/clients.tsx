import { useQuery } from '@tanstack/react-query'
import { clientsQuery, type OauthClient } from '../../api/oauth-clients.ts'
import { useWords } from '../../i18n/language.tsx'
import { breakable } from '../../parts/text/breakable.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { Day, Moment } from '../../parts/text/time.tsx'
import { useOauthWords } from './words.ts'

/** Lists the applications that may ask people for access; only for administrators. */
export function ClientSection({ onRemove }: { readonly onRemove: (client: OauthClient) => void }) {
  const oauth = useOauthWords()
  const clients = useQuery(clientsQuery)
  return (
    <Section title={oauth.clients} help={oauth.clientsHelp}>
      <QueryView query={clients}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={oauth.noClients} help={oauth.noClientsHelp} />
          ) : (
            <ClientTable clients={list} onRemove={onRemove} />
          )
        }
      </QueryView>
    </Section>
  )
}

function ClientTable(props: {
  readonly clients: readonly OauthClient[]
  readonly onRemove: (client: OauthClient) => void
}) {
  const words = useWords()
  const oauth = useOauthWords()
  return (
    <Table
      label={oauth.clients}
      rows={props.clients}
      keyOf={({ client_id }) => client_id}
      columns={[
        {
          head: oauth.application,
          cell: ({ client_name, client_id }) => (
            <>
              <span className="wrap">{client_name}</span>
              <code className="second wrap">{client_id}</code>
            </>
          ),
        },
        { head: oauth.registration, cell: ({ registration }) => oauth.registrations[registration] },
        { head: oauth.redirects, cell: ({ redirect_uris }) => <Redirects uris={redirect_uris} /> },
        { head: oauth.since, cell: ({ created_at }) => <Day iso={created_at} /> },
        { head: oauth.lastUsed, cell: ({ last_used_at }) => <Moment iso={last_used_at} none={words.never} /> },
        {
          head: words.actions,
          isActions: true,
          cell: (client) => (
            <button
              type="button"
              className="button button-small"
              aria-label={oauth.removeNamed(client.client_name)}
              onClick={() => props.onRemove(client)}
            >
              {oauth.remove}
            </button>
          ),
        },
      ]}
    />
  )
}

function Redirects({ uris }: { readonly uris: readonly string[] }) {
  const oauth = useOauthWords()
  if (uris.length === 0) return <span className="quiet">{oauth.noRedirects}</span>
  return (
    <ul className="plain-list">
      {uris.map((uri) => (
        <li key={uri} className="wrap">
          {breakable(uri)}
        </li>
      ))}
    </ul>
  )
}
