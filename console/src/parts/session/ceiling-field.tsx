import { useId } from 'react'
import { CEILINGS } from '../../../../src/platform/access/scopes.ts'
import { useWords } from '../../i18n/language.tsx'
import { type Ceiling, isCeiling } from './permissions.tsx'

/** Chooses a ceiling, up to `highest`. */
export function CeilingField(props: {
  readonly ceiling: Ceiling
  readonly highest?: Ceiling
  readonly onChoose: (ceiling: Ceiling) => void
}) {
  const { ceiling } = useWords()
  const id = useId()
  const { highest = CEILINGS.at(-1) } = props
  return (
    <div className="field">
      <label htmlFor={id}>{ceiling.label}</label>
      <select id={id} value={props.ceiling} onChange={(event) => props.onChoose(event.target.value as Ceiling)}>
        {CEILINGS.slice(0, CEILINGS.findIndex((each) => each === highest) + 1)
          .filter(isCeiling)
          .map((each) => (
            <option key={each} value={each}>
              {ceiling.levels[each]}
            </option>
          ))}
      </select>
    </div>
  )
}
