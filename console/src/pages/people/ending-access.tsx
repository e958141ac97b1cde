import type { PersonAccess, PersonDetails, Receivers } from '../../api/people.ts'
import { PersonPick } from '../../parts/fields/person-pick.tsx'
import { nameOf } from '../../parts/text/person.tsx'
import { usePeopleWords } from './words.ts'

/** Nothing is handed over. */
export const NO_RECEIVERS: Receivers = { api_keys: {}, oauth_clients: {} }

/** Lists the keys and applications that end with a person, and asks who answers for each that is to stay. */
export function EndingAccess(props: {
  readonly person: PersonDetails
  readonly access: PersonAccess
  readonly receivers: Receivers
  readonly onChange: (receivers: Receivers) => void
}) {
  const { person, receivers } = props
  const { ending: text } = usePeopleWords().person
  const { own_api_keys: own, issued_api_keys: keys, oauth_clients: clients } = props.access
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
      {own.length === 0 ? null : <p>{text.own(name, own.map((key) => key.name).join(', '))}</p>}
      <p>{items.length === 0 ? text.nothing(name) : text.intro(name)}</p>
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
