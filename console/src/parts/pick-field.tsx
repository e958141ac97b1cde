import { ChevronDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button, ComboBox, Input, type Key, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { FieldLabel, FieldNotes, isInvalid } from './text-field.tsx'

export interface PickChoice {
  readonly id: string
  readonly name: string
  /** A second line, such as the way to the thing. */
  readonly help?: string
}

/** Choices that are offered at once; who wants another one types more of its name. */
const OFFERED_MAX = 50

/**
 * Chooses one of many things, tens of thousands if need be, by typing a part of its name or of its second line.
 * @param props.onType finds the choices for what is typed, where they are not all known
 */
export function PickField(props: {
  readonly label: string
  readonly help?: string
  readonly fault?: string | null
  readonly choices: readonly PickChoice[]
  readonly chosen: string | null
  readonly onChoose: (id: string | null) => void
  readonly onType?: (text: string) => void
}) {
  const { label, help, fault, choices, chosen, onChoose, onType } = props
  const nameOf = (id: string | null): string => choices.find((choice) => choice.id === id)?.name ?? ''
  const [typed, setTyped] = useState(nameOf(chosen))
  const offered = useMemo(() => {
    if (onType !== undefined) return choices
    const isChosen = choices.some(({ id, name }) => id === chosen && name === typed)
    const wanted = isChosen ? '' : typed.trim().toLocaleLowerCase()
    const fits = ({ name, help: line = '' }: PickChoice): boolean =>
      name.toLocaleLowerCase().includes(wanted) || line.toLocaleLowerCase().includes(wanted)
    return choices.filter(fits).slice(0, OFFERED_MAX)
  }, [choices, chosen, typed, onType])
  return (
    <ComboBox
      className="field"
      items={offered}
      inputValue={typed}
      onInputChange={(text) => {
        setTyped(text)
        onType?.(text)
      }}
      value={chosen}
      onChange={(key: Key | null) => {
        onChoose(key === null ? null : String(key))
        setTyped(nameOf(key === null ? null : String(key)))
      }}
      menuTrigger="focus"
      allowsEmptyCollection={false}
      isInvalid={isInvalid(fault)}
      validationBehavior="aria"
    >
      <FieldLabel label={label} />
      <span className="pick">
        <Input />
        <Button className="pick-open">
          <ChevronDown className="icon" size={16} aria-hidden />
        </Button>
      </span>
      <FieldNotes help={help} fault={fault} />
      <Popover className="popover">
        <ListBox className="list-box">
          {({ id, name, help: line }: PickChoice) => (
            <ListBoxItem id={id} textValue={name} className="option">
              <span>
                {name}
                {line === undefined || line === '' ? null : <span className="second">{line}</span>}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
