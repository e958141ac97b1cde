import { useState } from 'react'
import { ComboBox, Input, type Key, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { useCategories } from '../api/category-names.ts'
import { FieldLabel, FieldNotes, isInvalid } from './text-field.tsx'

const OFFERED = 50

/** Chooses one of many categories by typing a piece of its path. */
export function CategoryPicker(props: {
  readonly label: string
  readonly help?: string
  readonly placeholder?: string
  readonly name?: string
  readonly fault?: string | null
  readonly chosen: string | null
  readonly onChoose: (id: string) => void
}) {
  const { label, help, fault, chosen, onChoose } = props
  const { categories = [] } = useCategories()
  const [typed, setTyped] = useState<string | null>(null)
  const chosenPath = categories.find(({ id }) => id === chosen)?.path ?? ''
  const wanted = (typed ?? '').trim().toLowerCase()
  const offered = []
  for (const category of categories) {
    if (!category.path.toLowerCase().includes(wanted)) continue
    if (offered.push(category) === OFFERED) break
  }
  return (
    <ComboBox
      className="field"
      name={props.name}
      items={offered}
      value={chosen}
      inputValue={typed ?? chosenPath}
      onInputChange={(text) => setTyped(text === chosenPath ? null : text)}
      onChange={(key: Key | null) => {
        setTyped(null)
        if (key !== null) onChoose(String(key))
      }}
      onBlur={() => setTyped(null)}
      allowsEmptyCollection={false}
      defaultFilter={() => true}
      menuTrigger="focus"
      isInvalid={isInvalid(fault)}
      validationBehavior="aria"
    >
      <FieldLabel label={label} />
      <Input placeholder={props.placeholder} onFocus={(event) => event.target.select()} />
      <FieldNotes help={help} fault={fault} />
      <Popover className="popover">
        <ListBox className="list-box">
          {({ id, name, path }: { id: string; name: string; path: string }) => (
            <ListBoxItem id={id} textValue={path} className="option">
              <span>
                {name}
                {path === name ? null : <span className="second">{path.slice(0, -name.length - 3)}</span>}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
