import { X } from 'lucide-react'
import { Button, Tag, TagGroup, TagList } from 'react-aria-components'
import { useWords } from '../../i18n/language.tsx'
import { Button as PlainButton } from '../layout/button.tsx'

export interface Chip {
  /** Id of the filter. It stays the same at every rendering, so that the chip keeps the focus. */
  readonly id: string
  /** Filter in words, such as "Language: German". */
  readonly name: string
}

/** Shows the filters that are set, each with a button that removes it, and one button that removes all. */
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

/** Shows the button that removes a chip; React Aria names it after the chip. */
export function RemoveMark() {
  return (
    <Button slot="remove" className="chip-remove">
      <X className="icon" size={14} aria-hidden />
    </Button>
  )
}
