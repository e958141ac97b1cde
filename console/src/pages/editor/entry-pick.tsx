import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entryQuery } from '../../api/entries.ts'
import { suggestEntries } from '../../api/suggested-entries.ts'
import { PickField } from '../../parts/fields/pick-field.tsx'

/** Chooses an entry by its title. One that the person may not read, or that is gone, is shown by its id. */
export function EntryPick(props: {
  readonly label: string
  readonly help: string
  readonly fault: string | null
  readonly chosen: string | null
  readonly onChoose: (id: string | null) => void
}) {
  const { chosen } = props
  const [typed, setTyped] = useState('')
  // Its title is known before it is read: a text that changes under the focus opens the list again.
  const [picked, setPicked] = useState<{ readonly id: string; readonly title: string } | null>(null)
  const found = useQuery({
    queryKey: ['suggested-entries', typed],
    queryFn: ({ signal }) => suggestEntries(typed, signal),
    enabled: typed.trim() !== '',
    placeholderData: keepPreviousData,
  })
  const known = useQuery({ ...entryQuery(chosen ?? ''), enabled: chosen !== null })
  const others = (typed.trim() === '' ? [] : (found.data ?? [])).filter(({ id }) => id !== chosen)
  return (
    <PickField
      label={props.label}
      help={props.help}
      fault={props.fault}
      choices={[
        ...(chosen === null
          ? []
          : [{ id: chosen, name: picked?.id === chosen ? picked.title : (known.data?.title ?? chosen) }]),
        ...others.map(({ id, title }) => ({ id, name: title })),
      ]}
      chosen={chosen}
      onType={setTyped}
      onChoose={(id) => {
        setPicked(others.find((each) => each.id === id) ?? null)
        props.onChoose(id)
      }}
    />
  )
}
