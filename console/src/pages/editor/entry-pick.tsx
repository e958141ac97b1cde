import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { entryQuery } from '../../api/entries.ts'
import { suggestEntries } from '../../api/suggested-entries.ts'
import { PickField } from '../../parts/fields/pick-field.tsx'

/** Chooses an entry by its title. A chosen entry that the person may not read, or that is gone, is shown by its id. */
export function EntryPick(props: {
  readonly label: string
  readonly help: string
  readonly fault: string | null
  readonly chosen: string | null
  readonly onChoose: (id: string | null) => void
}) {
  const { chosen } = props
  const [typed, setTyped] = useState('')
  // The title of an entry chosen here is known before the entry is read: a text that changes under the focus opens the
  // list again.
  const [lastChoice, setLastChoice] = useState<{ readonly id: string; readonly title: string } | null>(null)
  const suggestions = useQuery({
    queryKey: ['suggested-entries', typed],
    queryFn: ({ signal }) => suggestEntries(typed, signal),
    enabled: typed.trim() !== '',
    placeholderData: keepPreviousData,
  })
  const chosenEntry = useQuery({ ...entryQuery(chosen ?? ''), enabled: chosen !== null })
  const others = (typed.trim() === '' ? [] : (suggestions.data ?? [])).filter(({ id }) => id !== chosen)
  return (
    <PickField
      label={props.label}
      help={props.help}
      fault={props.fault}
      choices={[
        ...(chosen === null
          ? []
          : [{ id: chosen, name: lastChoice?.id === chosen ? lastChoice.title : (chosenEntry.data?.title ?? chosen) }]),
        ...others.map(({ id, title }) => ({ id, name: title })),
      ]}
      chosen={chosen}
      onType={setTyped}
      onChoose={(id) => {
        setLastChoice(others.find((each) => each.id === id) ?? null)
        props.onChoose(id)
      }}
    />
  )
}
