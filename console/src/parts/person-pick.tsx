import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askPeople, personQuery } from '../api/people.ts'
import { nameOf } from './person.tsx'
import { PickField } from './pick-field.tsx'

/**
 * Chooses one of the people by a part of their name or address; the service finds them, however many there are.
 * @param props.unknown name of a chosen person who is not here any more
 * @param props.isActive leaves out who is disabled
 */
export function PersonPick(props: {
  readonly label: string
  readonly help?: string
  readonly fault?: string | null
  readonly placeholder?: string
  readonly unknown?: string
  readonly isActive?: boolean
  readonly except?: readonly string[]
  readonly chosen: string | null
  readonly onChoose: (id: string | null, name: string) => void
}) {
  const { chosen, except = [], unknown = '' } = props
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().slice(0, 200)
  const found = useQuery({
    queryKey: ['people', 'picked-from', wanted, props.isActive],
    queryFn: ({ signal }) =>
      askPeople(
        { ...(wanted === '' ? {} : { q: wanted }), ...(props.isActive === true ? { state: 'active' } : {}) },
        null,
        signal,
      ),
    placeholderData: keepPreviousData,
  })
  const people = found.data?.rows ?? []
  const known = useQuery({ ...personQuery(chosen ?? ''), enabled: chosen !== null })
  const choices = people
    .filter(({ id }) => id !== chosen && !except.includes(id))
    .map((person) => ({ id: person.id, name: nameOf(person), help: person.email }))
  const picked =
    chosen === null ? [] : [{ id: chosen, name: known.data === undefined ? unknown : nameOf(known.data), help: '' }]
  return (
    <PickField
      label={props.label}
      {...(props.help === undefined ? {} : { help: props.help })}
      {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
      fault={props.fault ?? null}
      choices={[...picked, ...choices]}
      chosen={chosen}
      onType={setTyped}
      onChoose={(id) => props.onChoose(id, choices.find((choice) => choice.id === id)?.name ?? '')}
    />
  )
}
