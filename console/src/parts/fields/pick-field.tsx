import { ChevronDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Button, ComboBox, Input, type Key, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { FieldLabel, FieldNotes, isInvalid } from './text-field.tsx'

export interface PickChoice {
  readonly id: string
  readonly name: string
  /** Second line, such as the path to the thing. */
  readonly help?: string
  /** Text in the field for a chosen thing whose name alone does not say enough. */
  readonly text?: string
}

/** Choices that are offered at once; typing more of the name leads to the others. */
const OFFERED_MAX = 50

const textOf = ({ name, text = name }: PickChoice): string => text

/**
 * Chooses one of many things, tens of thousands if need be, by typing a part of its name or of its second line. Typed
 * text that led to no choice is dropped when the field is left.
 * @param props.onType searches for choices by the typed text, where the caller does not have all choices
 * @param props.nothing why the list is empty, where choices arrive a moment after the typing
 */
export function PickField(props: {
  readonly label: string
  readonly help?: string
  readonly placeholder?: string
  readonly name?: string
  readonly fault?: string | null
  readonly choices: readonly PickChoice[]
  readonly chosen: string | null
  readonly onChoose: (id: string | null) => void
  readonly onType?: (text: string) => void
  readonly nothing?: string
}) {
  const { label, help, fault, choices, chosen, onChoose, onType, nothing } = props
  // Null while the field shows the chosen thing.
  const [typed, setTyped] = useState<string | null>(null)
  const isSearched = onType !== undefined
  const offered = useMemo(() => {
    if (isSearched) return choices
    const search = (typed ?? '').trim().toLocaleLowerCase()
    const fitting: PickChoice[] = []
    for (const choice of choices) {
      const fits = [textOf(choice), choice.help ?? ''].some((text) => text.toLocaleLowerCase().includes(search))
      if (fits && fitting.push(choice) === OFFERED_MAX) break
    }
    return fitting
  }, [choices, typed, isSearched])
  const chosenText = useMemo(() => {
    const choice = choices.find(({ id }) => id === chosen)
    return choice === undefined ? '' : textOf(choice)
  }, [choices, chosen])
  return (
    <ComboBox
      className="field"
      name={props.name}
      items={offered}
      inputValue={typed ?? chosenText}
      onInputChange={(text) => {
        setTyped(text === chosenText ? null : text)
        onType?.(text)
      }}
      value={chosen}
      onChange={(key: Key | null) => {
        setTyped(null)
        onChoose(key === null ? null : String(key))
      }}
      onBlur={() => setTyped(null)}
      defaultFilter={() => true}
      menuTrigger="focus"
      // A list that is empty for a moment would be closed when the choices arrive.
      allowsEmptyCollection={nothing !== undefined && typed !== null}
      isInvalid={isInvalid(fault)}
      validationBehavior="aria"
    >
      <FieldLabel label={label} />
      <span className="pick">
        <Input placeholder={props.placeholder} onFocus={(event) => event.target.select()} />
        <Button className="pick-open">
          <ChevronDown className="icon" size={16} aria-hidden />
        </Button>
      </span>
      <FieldNotes help={help} fault={fault} />
      <Popover className="popover">
        <ListBox className="list-box" renderEmptyState={() => <p className="pick-nothing">{nothing}</p>}>
          {({ id, name, help: line, text = name }: PickChoice) => (
            <ListBoxItem id={id} textValue={text} className="option">
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
