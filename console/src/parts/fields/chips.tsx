import { X } from 'lucide-react'
import { Button, Tag, TagGroup, TagList } from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'
import { Button as PlainButton } from '../layout/button.tsx'

export interface Chip {
  /** The same for the same filter at every drawing, so that the chip keeps the focus. */
  readonly id: string
  /** Such as "Language: German". */
  readonly name: string
}

/** The filters that are set, each with a button that removes it, and one that removes all. */
export function FilterChips(props: {
  readonly chips: readonly Chip[]
  readonly onRemove: (id: string) => void
  readonly onClear: () => void
}) {
  const { filters } = useWords()
  if (props.chips.length === 0) return null
  return (
    <div className="row">
      <TagGroup
        aria-label={filters.title}
        onRemove={(keys) => {
          for (const key of keys) props.onRemove(String(key))
        }}
      >
        <TagList className="chips">
          {props.chips.map(({ id, name }) => (
            <Tag key={id} id={id} textValue={name} className="chip">
              <span className="wrap">{name}</span>
              <RemoveMark />
            </Tag>
          ))}
        </TagList>
      </TagGroup>
      <PlainButton kind="quiet" size="small" onPress={props.onClear}>
        {filters.clear}
      </PlainButton>
    </div>
  )
}

/** The button that removes a chip; React Aria names it after the chip. */
export function RemoveMark() {
  return (
    <Button slot="remove" className="chip-remove">
      <X className="icon" size={14} aria-hidden />
    </Button>
  )
}
