import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage, useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { FeedForm } from './feed-form.tsx'
import { FeedFaults } from './feed-faults.tsx'
import { FeedNotices } from './feed-notices.tsx'
import { FeedUnread } from './feed-read.ts'
import { Counts, ProgressLine } from './report.tsx'
import { useFeed } from './use-feed.ts'
import { useImportWords } from './words.ts'

const NONE = { created: 0, updated: 0, unchanged: 0, failed: 0 }

/** Leads through the import of a product feed: choose, see what would happen, import. */
export function FeedImporter() {
  const { feed: words, ...more } = useImportWords()
  const shared = useWords()
  const { formats } = useLanguage()
  const run = useFeed()
  const [isAsking, setAsking] = useState(false)
  const { phase, job, content, result, missing } = run
  if (phase === 'choosing' || job === null) return <FeedForm onChosen={(chosen) => void run.begin(chosen)} />
  const isRunning = phase === 'reading' || phase === 'checking' || phase === 'importing'
  const { created, updated, unchanged, failed } = result?.finished ?? NONE
  const stored = created + updated + unchanged
  const hasWork = created + updated + missing > 0
  return (
    <section className="stack" aria-labelledby="feed-state">
      <h2 id="feed-state">{headingOf()}</h2>
      {isRunning ? <ProgressLine label={more.progress} share={run.share} /> : null}
      {run.error === null ? null : (
        <Notice tone="danger" role="alert">
          {run.error instanceof FeedUnread ? more.reasons.unreadable : faultText(run.error, shared)}
        </Notice>
      )}
      {phase === 'checked' || phase === 'done' ? (
        <>
          <Counts
            counts={{ created, updated, unchanged, failed, restored: 0 }}
            isDone={phase === 'done'}
            retired={phase === 'done' ? (result?.finished?.retired ?? 0) : 0}
          />
          <FeedNotices run={run} />
          {phase === 'checked' && !hasWork && failed === 0 && stored > 0 ? <p>{more.nothingNew}</p> : null}
        </>
      ) : null}
      <div className="row">
        {phase === 'checked' && hasWork ? (
          <Button kind="main" onPress={() => (missing > 0 ? setAsking(true) : run.import())}>
            {words.start(created + updated, formats.number(created + updated))}
          </Button>
        ) : null}
        {isRunning ? <Button onPress={run.stop}>{phase === 'importing' ? more.cancel : shared.cancel}</Button> : null}
        {phase === 'stopped' ? (
          <Button kind="main" onPress={run.goOn}>
            {more.goOn}
          </Button>
        ) : null}
        {phase === 'done' || (phase === 'stopped' && run.isImport) ? (
          <Link to="/console/products/syncs" search={{ site: job.site.slug }} className="button">
            {words.showRun}
          </Link>
        ) : null}
        {isRunning ? null : <Button onPress={run.reset}>{phase === 'done' ? more.again : words.other}</Button>}
      </div>
      {content === null || result === null ? null : (
        <FeedFaults name={job.file.name} content={content} result={result} />
      )}
      {isAsking ? (
        <ConfirmDialog
          title={words.retireTitle(missing, formats.number(missing))}
          text={words.retireText(job.site.name)}
          confirm={words.retire}
          isBusy={false}
          error={null}
          onConfirm={() => {
            setAsking(false)
            run.import()
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  )

  function headingOf(): string {
    switch (phase) {
      case 'reading':
        return words.reading
      case 'checking':
        return words.checking
      case 'importing':
        return more.importing
      case 'checked':
        return more.checked
      case 'done':
        if (result?.finished === null) return words.incomplete
        return failed === 0 ? more.done : more.doneWithFaults
      default:
        return run.isImport ? words.stopped : more.stoppedCheck
    }
  }
}
