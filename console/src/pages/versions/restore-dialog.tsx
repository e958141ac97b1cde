import { useRouter } from '@tanstack/react-router'
import { ApiFault } from '../../api/client.ts'
import type { Entry } from '../../api/entries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import { useRestore } from './queries.ts'
import { useVersionsWords } from './words.ts'

/** Asks before an earlier version becomes the newest. */
export function RestoreDialog(props: { readonly now: Entry; readonly earlier: Entry; readonly onClose: () => void }) {
  const { now, earlier, onClose } = props
  const { words: common, formats } = useLanguage()
  const words = useVersionsWords()
  const router = useRouter()
  const restore = useRestore()
  const { error } = restore
  const run = async (): Promise<void> => {
    try {
      await restore.mutateAsync({ now, earlier })
      sayDone(words.restored)
      await router.navigate({ to: '/console/entries/$entryId', params: { entryId: now.id } })
    } catch {
      // The dialog shows the error.
    }
  }
  return (
    <Dialog title={words.restoreTitle} onClose={onClose} isBusy={restore.isPending}>
      <p className="dialog-text">{words.restoreText(formats.number(earlier.version))}</p>
      {error === null ? null : (
        <Notice tone="danger" role="alert">
          {error instanceof ApiFault && error.status === 412 ? words.conflict : faultText(error, common)}
        </Notice>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose} isDisabled={restore.isPending}>
          {common.cancel}
        </Button>
        <Button kind="main" isPending={restore.isPending} onPress={() => void run()}>
          {words.restore}
        </Button>
      </div>
    </Dialog>
  )
}
