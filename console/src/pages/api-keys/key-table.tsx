import type { ApiKey } from '../../api/api-keys.ts'
import { useWords } from '../../i18n/language.tsx'
import { breakable } from '../../parts/text/breakable.tsx'
import { Permissions } from '../../parts/session/permissions.tsx'
import { nameOf, Person } from '../../parts/text/person.tsx'
import { Table } from '../../parts/tables/table.tsx'
import { Day, Moment } from '../../parts/text/time.tsx'
import { unrevokedIssue } from './issued-by-key.ts'
import { useApiKeysWords } from './words.ts'

type KeyState = 'active' | 'expired' | 'revoked'

function stateOf({ revoked_at, expires_at }: ApiKey, now: number): KeyState {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= now ? 'expired' : 'active'
}

/** Lists keys. @param props.now present time in ms, which tells which keys have expired */
export function KeyTable(props: {
  readonly keys: readonly ApiKey[]
  readonly now: number
  readonly onRevoke: (key: ApiKey) => void
}) {
  const { keys, now, onRevoke } = props
  const words = useWords()
  const { apiKeys } = useApiKeysWords()
  return (
    <Table
      label={apiKeys.table}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        {
          head: apiKeys.name,
          cell: ({ name, hint }) => (
            <>
              <span className="wrap">{name}</span>
              <code className="second" title={apiKeys.hint(hint)}>
                {hint}…
              </code>
            </>
          ),
        },
        {
          head: apiKeys.permissions,
          cell: ({ scopes, publishable }) => (
            <>
              <Permissions scopes={scopes} />
              {publishable === undefined ? null : (
                <span className="second wrap">{breakable(apiKeys.onPages(publishable.origins))}</span>
              )}
            </>
          ),
        },
        { head: apiKeys.user, cell: ({ user }) => <Person person={user} none={words.nobody} /> },
        {
          head: apiKeys.created,
          cell: ({ created_at, issuer }) => (
            <>
              <Day iso={created_at} />
              <Issuer issuer={issuer} keys={keys} />
            </>
          ),
        },
        { head: apiKeys.expires, cell: ({ expires_at }) => <Day iso={expires_at} none={words.never} /> },
        { head: apiKeys.lastUsed, cell: ({ last_used_at }) => <Moment iso={last_used_at} none={words.never} /> },
        { head: apiKeys.state, cell: (key) => <State state={stateOf(key, now)} /> },
        {
          head: words.actions,
          isActions: true,
          cell: (key) =>
            stateOf(key, now) === 'active' || unrevokedIssue(keys, key.id) > 0 ? (
              <button
                type="button"
                className="button button-small"
                aria-label={apiKeys.revokeNamed(key.name)}
                onClick={() => onRevoke(key)}
              >
                {apiKeys.revoke}
              </button>
            ) : null,
        },
      ]}
    />
  )
}

/** Shows the issuer of the key, if it was recorded. */
function Issuer({ issuer, keys }: { readonly issuer: ApiKey['issuer']; readonly keys: readonly ApiKey[] }) {
  const words = useApiKeysWords().apiKeys.issuer
  const { kind, id, user } = issuer
  const text =
    kind === 'cli'
      ? words.cli
      : kind === 'key'
        ? words.key(keys.find((key) => key.id === id)?.name ?? '')
        : user === null
          ? null
          : words.person(nameOf(user))
  return text === null ? null : <span className="second wrap">{breakable(text)}</span>
}

function State({ state }: { readonly state: KeyState }) {
  const { states } = useApiKeysWords().apiKeys
  return <span className={`badge badge-${state}`}>{states[state]}</span>
}
