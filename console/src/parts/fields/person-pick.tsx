import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { askPeople, personQuery } from '../../api/people.ts'
import { useWords } from '../../i18n/language.tsx'
import { nameOf } from '../text/person.tsx'
import { PickField } from './pick-field.tsx'

const NOBODY = 'nobody'

/**
 * Chooses one of the people by a part of their name or address; the service finds them, however many there are.
 * @param props.nobody what nobody is called, where somebody who is chosen can be let go
 * @param props.unknown name of a chosen person who is not here any more
 * @param props.isActive leaves out who is disabled
 */
export function PersonPick(props: {
  readonly label: string
  readonly help?: string
  readonly fault?: string | null
  readonly placeholder?: string
  readonly nobody?: string
  readonly unknown?: string
  readonly isActive?: boolean
  readonly except?: readonly string[]
  readonly chosen: string | null
  readonly onChoose: (id: string | null, name: string) => void
}) {
  const { chosen, except = [], nobody, unknown = '' } = props
  const words = useWords()
  const [typed, setTyped] = useState('')
  // Whose name comes a moment later would open the list again, as if somebody had typed it.
  const [last, setLast] = useState<{ readonly id: string; readonly name: string } | null>(null)
  const isNamed = last !== null && last.id === chosen
  const known = useQuery({ ...personQuery(chosen ?? ''), enabled: chosen !== null && !isNamed })
  const name = isNamed ? last.name : known.data === undefined ? unknown : nameOf(known.data)
  // The name of who is chosen is not looked for: the list offers the others.
  const wanted = chosen !== null && typed === name ? '' : typed.trim().slice(0, 200)
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
  const choices = people
    .filter(({ id }) => id !== chosen && !except.includes(id))
    .map((person) => ({ id: person.id, name: nameOf(person), help: person.email }))
  const picked = chosen === null ? [] : [{ id: chosen, name, help: '' }]
  const none = nobody === undefined || chosen === null || wanted !== '' ? [] : [{ id: NOBODY, name: nobody, help: '' }]
  return (
    <PickField
      label={props.label}
      {...(props.help === undefined ? {} : { help: props.help })}
      {...(props.placeholder === undefined && nobody === undefined ? {} : { placeholder: props.placeholder ?? nobody })}
      fault={props.fault ?? null}
      nothing={found.isFetching ? words.loading : words.nobodyFound}
      choices={[...none, ...picked, ...choices]}
      chosen={chosen}
      onType={setTyped}
      onChoose={(id) => {
        const choice = choices.find((each) => each.id === id) ?? null
        if (choice !== null) setLast(choice)
        setTyped('')
        props.onChoose(id === NOBODY ? null : id, choice?.name ?? '')
      }}
    />
  )
}
