import { type ReactNode, useRef, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover, Tag, TagGroup, TagList, type Key } from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'
import { RemoveMark } from './chips.tsx'
import { FieldLabel, FieldNotes, isInvalid } from './text-field.tsx'

/**
 * Lets people enter several short texts: typed, or taken from suggestions. Enter or a comma adds the typed text;
 * Backspace in the empty field removes the last tag.
 * @param props.suggestions texts to offer, such as tags in use
 * @param props.check returns the text as it will be stored, or null to refuse it
 */
export function TagInput(props: {
  readonly label: string
  /** Path in the body, for faults of the service. */
  readonly name?: string
  readonly help?: string
  readonly fault?: string | null
  readonly tags: readonly string[]
  readonly suggestions?: readonly string[]
  readonly placeholder?: string
  readonly onChange: (tags: readonly string[]) => void
  readonly check?: (text: string) => string | null
}) {
  const { label, help, fault, tags, suggestions = [], onChange } = props
  const words = useWords()
  const [typed, setTyped] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const add = (text: string): void => {
    const plain = text.trim()
    const tag = plain === '' ? null : (props.check ?? ((same: string) => same))(plain)
    if (tag === null) return
    if (!tags.includes(tag)) onChange([...tags, tag])
    setTyped('')
  }
  const offered = suggestions
    .filter(
      (each) => typed.trim() !== '' && !tags.includes(each) && each.toLowerCase().includes(typed.trim().toLowerCase()),
    )
    .slice(0, 50)
    .map((name) => ({ id: name, name }))
  return (
    // The tags are beside the combo box: inside it they would take its list for theirs.
    <div className="tag-input">
      <ComboBox
        className="field"
        name={props.name}
        allowsCustomValue
        allowsEmptyCollection={false}
        items={offered}
        inputValue={typed}
        onInputChange={setTyped}
        value={null}
        onChange={(key: Key | null) => {
          if (key !== null) add(String(key))
        }}
        isInvalid={isInvalid(fault)}
        validationBehavior="aria"
        menuTrigger="input"
      >
        <FieldLabel label={label} />
        <Input
          ref={input}
          placeholder={props.placeholder}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            const isOptionFocused = event.currentTarget.getAttribute('aria-activedescendant') !== null
            if ((event.key === 'Enter' && !isOptionFocused && typed.trim() !== '') || event.key === ',') {
              event.preventDefault()
              add(typed)
            }
            if (event.key === 'Backspace' && typed === '' && tags.length > 0) onChange(tags.slice(0, -1))
          }}
          onBlur={() => add(typed)}
        />
        <FieldNotes help={help ?? words.tags.help} fault={fault} />
        <Popover className="popover">
          <ListBox className="list-box">
            {({ id, name }: { id: string; name: string }) => (
              <ListBoxItem id={id} textValue={name} className="option">
                {name}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
      <Tags label={label} tags={tags} onRemove={(removed) => onChange(tags.filter((tag) => tag !== removed))} />
    </div>
  )
}

function Tags(props: {
  readonly label: string
  readonly tags: readonly string[]
  readonly onRemove: (tag: string) => void
}): ReactNode {
  if (props.tags.length === 0) return null
  return (
    <TagGroup
      aria-label={props.label}
      onRemove={(keys) => {
        for (const key of keys) props.onRemove(String(key))
      }}
    >
      <TagList className="chips">
        {props.tags.map((tag) => (
          <Tag key={tag} id={tag} textValue={tag} className="chip">
            <span className="wrap">{tag}</span>
            <RemoveMark />
          </Tag>
        ))}
      </TagList>
    </TagGroup>
  )
}
