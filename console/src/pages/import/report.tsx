import { ProgressBar } from 'react-aria-components'
import { useLanguage } from '../../i18n/language.tsx'
import type { Counted, Report } from './import-run.ts'
import { useImportWords } from './words.ts'

const ORDER: readonly Counted[] = ['created', 'updated', 'restored', 'unchanged', 'failed']

/** How many entries are new, changed and so on; what there is none of is left out. */
export function Counts({ counts, isDone }: { readonly counts: Report['counts']; readonly isDone: boolean }) {
  const words = useImportWords()
  const { formats } = useLanguage()
  return (
    <ul className="import-counts" role={isDone ? 'status' : undefined}>
      {ORDER.filter((name) => counts[name] > 0).map((name) => (
        <li key={name} className={`import-count import-${name}`}>
          <strong>{formats.number(counts[name])}</strong> {words.counts[name]}
        </li>
      ))}
    </ul>
  )
}

/** @param props.share from 0 to 1 */
export function ProgressLine({ label, share }: { readonly label: string; readonly share: number }) {
  const { formats } = useLanguage()
  const shown = Math.min(1, share)
  return (
    <ProgressBar aria-label={label} value={shown * 100} valueLabel={formats.percent(Math.round(shown * 100) / 100)}>
      {({ valueText }) => (
        <span className="import-progress">
          <span className="import-bar">
            <span className="import-bar-done" style={{ width: `${shown * 100}%` }} />
          </span>
          <span className="quiet">{valueText}</span>
        </span>
      )}
    </ProgressBar>
  )
}
