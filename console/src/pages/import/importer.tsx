import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import type { ChosenFile } from '../../parts/fields/folder-drop.tsx'
import { LeaveGuard } from '../../parts/editing/leave-guard.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { FilesForm } from './files-form.tsx'
import { Faults } from './faults.tsx'
import type { ImportOptions } from './read-item.ts'
import { Counts, ProgressLine } from './report.tsx'
import { useImport } from './use-import.ts'
import { useImportWords } from './words.ts'

interface Job {
  readonly files: readonly ChosenFile[]
  readonly options: ImportOptions
  readonly ignored: number
}

/** Leads through an import of entries: choose, see what would happen, import. */
export function Importer() {
  const words = useImportWords()
  const shared = useWords()
  const { formats } = useLanguage()
  const run = useImport()
  const [job, setJob] = useState<Job | null>(null)
  const { phase, report, isDryRun } = run
  if (phase === 'choosing' || job === null)
    return (
      <FilesForm
        onChosen={(files, options, ignored) => {
          setJob({ files, options, ignored })
          void run.begin(files, options, true)
        }}
      />
    )
  const total = job.files.reduce((sum, { file }) => sum + file.size, 0)
  const { created, updated, restored, failed } = report.counts
  const changes = created + updated + restored
  const isRunning = phase === 'checking' || phase === 'importing'
  const heading = headingOf()
  return (
    <section className="stack" aria-labelledby="import-state">
      <h2 id="import-state">{heading}</h2>
      {isRunning ? <ProgressLine label={words.progress} share={total === 0 ? 0 : report.bytes / total} /> : null}
      {run.error === null ? null : (
        <Notice tone="danger" role="alert">
          {faultText(run.error, shared)}
        </Notice>
      )}
      <Counts counts={report.counts} isDone={phase === 'done'} />
      {job.ignored === 0 ? null : <p className="quiet">{words.ignored(job.ignored, formats.number(job.ignored))}</p>}
      {phase === 'checked' && changes === 0 && failed === 0 ? <p>{words.nothingNew}</p> : null}
      <div className="row">
        {phase === 'checked' && changes > 0 ? (
          <Button kind="main" onPress={() => void run.begin(job.files, job.options, false)}>
            {words.start(changes, formats.number(changes))}
          </Button>
        ) : null}
        {isRunning ? <Button onPress={run.stop}>{isDryRun ? shared.cancel : words.cancel}</Button> : null}
        {phase === 'stopped' ? (
          <Button kind="main" onPress={() => void run.goOn()}>
            {words.goOn}
          </Button>
        ) : null}
        {phase === 'done' && changes > 0 ? (
          <Link to="/console/entries" className="button button-main">
            {words.showEntries}
          </Link>
        ) : null}
        {isRunning ? null : <Button onPress={run.reset}>{phase === 'done' ? words.again : words.other}</Button>}
      </div>
      <Faults faults={report.faults} />
      {phase === 'importing' ? <LeaveGuard isNeeded={() => true} words={words.leaving} /> : null}
    </section>
  )

  function headingOf(): string {
    switch (phase) {
      case 'checking':
        return words.checking
      case 'importing':
        return words.importing
      case 'checked':
        return words.checked
      case 'done':
        return failed === 0 ? words.done : words.doneWithFaults
      default:
        return isDryRun ? words.stoppedCheck : words.stopped
    }
  }
}
