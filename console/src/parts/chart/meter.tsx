import { Label, Meter as AriaMeter } from 'react-aria-components'

/**
 * Shows how much of something is used or done, as a bar with words.
 * @param props.value from 0 to `max`
 * @param props.text the value in words, such as "3 of 5"
 */
export function Meter(props: {
  readonly label: string
  readonly value: number
  readonly max: number
  readonly text: string
  /** Whether the bar is marked, because it is almost full. */
  readonly isWarning?: boolean
}) {
  const { label, value, max, text, isWarning = false } = props
  return (
    <AriaMeter className="meter" value={value} maxValue={Math.max(max, 1)} valueLabel={text}>
      {({ percentage, valueText }) => (
        <>
          <span className="meter-words">
            <Label>{label}</Label>
            <span className="quiet">{valueText}</span>
          </span>
          <span className="meter-track" aria-hidden>
            <span
              className={isWarning ? 'meter-bar meter-warning' : 'meter-bar'}
              style={{ width: `${max === 0 ? 0 : percentage}%` }}
            />
          </span>
        </>
      )}
    </AriaMeter>
  )
}
