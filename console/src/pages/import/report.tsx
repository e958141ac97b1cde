import { ProgressBar } from 'react-aria-components'
import { useLanguage } from '../../i18n/language.tsx'
import type { Outcome, Report } from './import-run.ts'
import { useImportWords } from './words.ts'

const ORDER: readonly Outcome[] = ['created', 'updated', 'restored', 'unchanged', 'failed']

/** Shows the number of entries that are new, changed and so on; leaves out counts of 0. */
export function Counts({
  counts,
  isDone,
  retired = 0,
}: {
  readonly counts: Report['counts']
  readonly isDone: boolean
  readonly retired?: number
}) {
  const words = useImportWords()
  const { formats } = useLanguage()
  return (
    <div role={isDone ? 'status' : undefined}>
      <ul className="import-counts">
        {ORDER.filter((name) => counts[name] > 0).map((name) => (
          <li key={name} className={`import-count import-${name}`}>
            <strong>{formats.number(counts[name])}</strong> {words.counts[name]}
          </li>
        ))}
        {retired === 0 ? null : (
          <li className="import-count">
            <strong>{formats.number(retired)}</strong> {words.feed.retired}
          </li>
        )}
      </ul>
    </div>
  )
}

/** Shows the progress of an import. @param props.share from 0 to 1; null when it is unknown */
export function ProgressLine({ label, share }: { readonly label: string; readonly share: number | null }) {
  const { formats } = useLanguage()
  if (share === null)
    return (
      <ProgressBar aria-label={label} isIndeterminate>
        <span className="import-progress">
          <span className="import-bar import-bar-waiting" />
        </span>
      </ProgressBar>
    )
  const boundedShare = Math.min(1, share)
  return (
    <ProgressBar
      aria-label={label}
      value={boundedShare * 100}
      valueLabel={formats.percent(Math.round(boundedShare * 100) / 100)}
    >
      {({ valueText }) => (
        <span className="import-progress">
          <span className="import-bar">
            <span className="import-bar-done" style={{ width: `${boundedShare * 100}%` }} />
          </span>
          <span className="quiet">{valueText}</span>
        </span>
      )}
    </ProgressBar>
  )
}
