import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import type { BinOutcome } from './outcome.ts'
import { useBinWords } from './words.ts'

/** Shows actions for the selected entries, and the outcome of the last action. */
export function BinActions(props: {
  readonly count: number
  readonly outcome: BinOutcome | null
  readonly onRestore: () => Promise<void>
  readonly onPurge: () => Promise<void>
}) {
  const { count, outcome } = props
  const { words: common, formats } = useLanguage()
  const words = useBinWords()
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const run = async (action: () => Promise<void>): Promise<void> => {
    setBusy(true)
    await action()
    setBusy(false)
    setAsking(false)
  }
  return (
    <>
      {outcome === null ? null : (
        <Notice tone={outcome.failed.length === 0 ? 'success' : 'warning'} role="status">
          <p>{outcome.text}</p>
          {outcome.failed.length === 0 ? null : (
            <>
              <p>{words.failed(outcome.failed.length)}</p>
              <ul>
                {outcome.failed.map(({ entry, error }) => (
                  <li key={entry.id}>
                    {entry.title}
                    {': '}
                    {error instanceof ApiFault && error.status === 409 ? words.homeless : faultText(error, common)}
                  </li>
                ))}
              </ul>
            </>
          )}
        </Notice>
      )}
      {count === 0 ? null : (
        <div className="bulk-bar">
          <strong role="status">{words.selected(formats.number(count))}</strong>
          <Button kind="main" icon={RotateCcw} isPending={isBusy} onPress={() => void run(props.onRestore)}>
            {words.restore}
          </Button>
          <Button isPending={isBusy} onPress={() => setAsking(true)}>
            {words.purgeNow}
          </Button>
        </div>
      )}
      {isAsking ? (
        <ConfirmDialog
          title={words.purgeTitle(count)}
          text={words.purgeText}
          confirm={words.purgeNow}
          isBusy={isBusy}
          error={null}
          onConfirm={() => void run(props.onPurge)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
