import { useMemo } from 'react'
import { useCategories } from '../../api/category-names.ts'
import { type PickChoice, PickField } from './pick-field.tsx'

/** Chooses one of the categories by typing a part of its path. */
export function CategoryPicker(props: {
  readonly label: string
  readonly help?: string
  readonly placeholder?: string
  readonly name?: string
  readonly fault?: string | null
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
}) {
  const { categories = [] } = useCategories()
  const choices = useMemo(
    () =>
      categories.map(({ id, name, path }): PickChoice => {
        const above = path.slice(0, path.length - name.length).replace(/ \/ $/, '')
        return { id, name, help: above, text: path }
      }),
    [categories],
  )
  return (
    <PickField
      {...props}
      choices={choices}
      onChoose={(id) => {
        if (id !== null) props.onChoose(id)
      }}
    />
  )
}
