import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askPeople, type GivenRole, personQuery } from '../../api/people.ts'
import { useWords } from '../../i18n/language.tsx'
import { nameOf } from '../text/person.tsx'
import { PickField } from './pick-field.tsx'

const NOBODY = 'nobody'

/**
 * Chooses a person by a part of their name or address; the service searches, however many people there are.
 * @param props.nobody name of the choice of no person, where a chosen person can be removed
 * @param props.unknown name to show for a chosen person who no longer exists
 * @param props.isActive whether disabled people are left out
 * @param props.ofRole the only role that people to choose have
 */
export function PersonPick(props: {
  readonly label: string
  readonly help?: string
  readonly fault?: string | null
  readonly placeholder?: string
  readonly nobody?: string
  readonly unknown?: string
  readonly isActive?: boolean
  readonly ofRole?: GivenRole
  readonly except?: readonly string[]
  readonly chosen: string | null
  readonly onChoose: (id: string | null, name: string) => void
}) {
  const { chosen, except = [], nobody, ofRole, unknown = '' } = props
  const words = useWords()
  const [typed, setTyped] = useState('')
  // A person chosen here, with the name. Without it the name would be read from the service, and its late arrival would
  // open the list again, as if it had been typed.
  const [lastChoice, setLastChoice] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const isNamed = lastChoice !== null && lastChoice.id === chosen
  const person = useQuery({ ...personQuery(chosen ?? ''), enabled: chosen !== null && !isNamed })
  const name = isNamed ? lastChoice.name : person.data === undefined ? unknown : nameOf(person.data)
  // The name of the chosen person is not searched for: the list offers other people.
  const search = chosen !== null && typed === name ? '' : typed.trim().slice(0, 200)
  const results = useQuery({
    queryKey: ['people', 'picked-from', search, props.isActive, ofRole],
    queryFn: ({ signal }) =>
      askPeople(
        {
          ...(search === '' ? {} : { q: search }),
          ...(ofRole === undefined ? {} : { role: ofRole }),
          ...(props.isActive === true ? { state: 'active' } : {}),
        },
        null,
        signal,
      ),
    placeholderData: keepPreviousData,
  })
  const people = results.data?.rows ?? []
  const choices = people
    .filter(({ id }) => id !== chosen && !except.includes(id))
    .map((person) => ({ id: person.id, name: nameOf(person), help: person.email }))
  const current = chosen === null ? [] : [{ id: chosen, name, help: '' }]
  const none = nobody === undefined || chosen === null || search !== '' ? [] : [{ id: NOBODY, name: nobody, help: '' }]
  return (
    <PickField
      label={props.label}
      {...(props.help === undefined ? {} : { help: props.help })}
      {...(props.placeholder === undefined && nobody === undefined ? {} : { placeholder: props.placeholder ?? nobody })}
      fault={props.fault ?? null}
      nothing={results.isFetching ? words.loading : words.nobodyFound}
      choices={[...none, ...current, ...choices]}
      chosen={chosen}
      onType={setTyped}
      onChoose={(id) => {
        const choice = choices.find((each) => each.id === id) ?? null
        if (choice !== null) setLastChoice(choice)
        setTyped('')
        props.onChoose(id === NOBODY ? null : id, choice?.name ?? '')
      }}
    />
  )
}
