import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'
import { Notice } from '../feedback/notice.tsx'

/** A field that this person and another one have set to different values, in words. */
export interface Collision {
  readonly name: string
  readonly theirs: string
  readonly mine: string
}

/**
 * Shows the values that another person set meanwhile in fields that were changed here too, and lets the person decide.
 */
export function Collisions(props: {
  readonly fields: readonly Collision[]
  readonly isBusy: boolean
  readonly onTake: () => void
  readonly onOverwrite: () => void
}) {
  const { fields, isBusy } = props
  const { collisions: words } = useWords()
  if (fields.length === 0) return null
  return (
    <Notice tone="warning" role="alert">
      <p>
        <strong>{words.title}</strong>
      </p>
      <ul>
        {fields.map(({ name, theirs, mine }) => (
          <li key={name} className="wrap">
            {words.field(name, theirs === '' ? words.empty : theirs, mine === '' ? words.empty : mine)}
          </li>
        ))}
      </ul>
      <p>{words.help}</p>
      <div className="row">
        <Button size="small" onPress={props.onTake} isDisabled={isBusy}>
          {words.take}
        </Button>
        <Button size="small" onPress={props.onOverwrite} isDisabled={isBusy}>
          {words.overwrite}
        </Button>
      </div>
    </Notice>
  )
}
