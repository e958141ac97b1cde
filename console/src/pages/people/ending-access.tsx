import type { PersonAccess, PersonDetails, Receivers } from '../../api/people.ts'
import { PersonPick } from '../../parts/fields/person-pick.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { usePeopleWords } from './words.ts'

/** Nothing is handed over. */
export const NO_RECEIVERS: Receivers = { api_keys: {}, oauth_clients: {} }

/** Returns the receivers of what is listed as ending; a choice for something else has no effect. */
export function receiversAmong(access: PersonAccess, { api_keys: keys, oauth_clients: clients }: Receivers): Receivers {
  const keyIds = access.issued_api_keys.map(({ id }) => id)
  const clientIds = access.oauth_clients.map(({ client_id: id }) => id)
  return { api_keys: pick(keys, keyIds), oauth_clients: pick(clients, clientIds) }
}

const pick = (of: Readonly<Record<string, string>>, ids: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(of).filter(([id]) => ids.includes(id)))

/**
 * Lists the keys and applications that end with a person, and asks who answers for each that is to stay.
 * @param props.isLess whether they end because the person may do less from now on, and not with the person
 */
export function EndingAccess(props: {
  readonly person: PersonDetails
  readonly access: PersonAccess
  readonly receivers: Receivers
  readonly isLess?: boolean
  readonly onChange: (receivers: Receivers) => void
}) {
  const { person, receivers } = props
  const { ending: text } = usePeopleWords().person
  const reason = props.isLess === true ? text.less : text
  const { own_api_keys: own, issued_api_keys: keys, oauth_clients: clients } = props.access
  const { narrowed_api_keys: narrowedKeys, narrowed_oauth_clients: narrowedClients } = props.access
  const narrowed = [
    ...narrowedKeys.map((key) => text.key(key.name, key.hint)),
    ...narrowedClients.map((client) => text.client(client.client_name)),
  ]
  const name = nameOf(person)
  const give = (kind: keyof Receivers, id: string, to: string | null): void => {
    const { [id]: _, ...others } = receivers[kind]
    props.onChange({ ...receivers, [kind]: to === null ? others : { ...others, [id]: to } })
  }
  const items = [
    ...keys.map((key) => ({ kind: 'api_keys' as const, id: key.id, label: text.key(key.name, key.hint) })),
    ...clients.map((client) => ({
      kind: 'oauth_clients' as const,
      id: client.client_id,
      label: text.client(client.client_name),
    })),
  ]
  return (
    <div className="ending-access">
      {own.length === 0 ? null : <p>{reason.own(name, own.map((key) => key.name).join(', '))}</p>}
      {narrowed.length === 0 ? null : <p>{text.withoutPrompts(narrowed.join(', '))}</p>}
      <p>{items.length === 0 ? reason.nothing(name) : reason.intro(name)}</p>
      {items.map(({ kind, id, label }) => (
        <PersonPick
          key={id}
          label={label}
          nobody={text.ends}
          isActive
          ofRole="admin"
          except={[person.id]}
          chosen={receivers[kind][id] ?? null}
          onChoose={(to) => give(kind, id, to)}
        />
      ))}
    </div>
  )
}
