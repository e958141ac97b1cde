import type { ReactNode } from 'react'
import { Checkbox } from '../../parts/fields/checkbox.tsx'

/** Shows a setting that is on or off, with its meaning. */
export function Flag(props: {
  readonly name: string
  readonly help: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly children: ReactNode
}) {
  return (
    <Checkbox name={props.name} isSelected={props.isOn} onChange={props.onChange}>
      {props.children}
      <span className="second">{props.help}</span>
    </Checkbox>
  )
}
