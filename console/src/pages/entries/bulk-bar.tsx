import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { type FailedEntry, restoreEntry, withEach } from '../../api/many-entries.ts'
import { useMay } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Menu } from '../../parts/layout/menu.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { BulkDialog, type BulkKind, type Outcome } from './bulk-dialog.tsx'
import type { ListedEntry } from './queries.ts'
import { useEntriesWords } from './words.ts'

type Selection = ReadonlyMap<string, ListedEntry>

/** Shows actions for the selected entries, and the outcome of the last action. */
export function BulkBar(props: { readonly selected: Selection; readonly onSelect: (selected: Selection) => void }) {
  const { selected, onSelect } = props
  const { formats } = useLanguage()
  const words = useEntriesWords()
  const queries = useQueryClient()
  const mayDelete = useMay('knowledge:delete')
  const [open, setOpen] = useState<BulkKind | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const kinds: readonly BulkKind[] = ['move', 'addTags', 'removeTags', 'visibility', 'project']
  const finish = async (done: Outcome): Promise<void> => {
    setOpen(null)
    setOutcome(done)
    onSelect(new Map())
    await queries.invalidateQueries({ queryKey: ['entries'] })
  }
  const undo = async (deleted: readonly ListedEntry[]): Promise<void> => {
    const failed = await withEach(deleted, restoreEntry, () => {})
    await finish({ text: words.undone(deleted.length - failed.length), failed, deleted: [] })
  }
  return (
    <>
      {outcome === null ? null : (
        <Notice tone={outcome.failed.length === 0 ? 'success' : 'warning'} role="status">
          <p>{outcome.text}</p>
          <Failures failed={outcome.failed} />
          {outcome.deleted.length === 0 ? null : (
            <Button size="small" onPress={() => void undo(outcome.deleted)}>
              {words.undo}
            </Button>
          )}
        </Notice>
      )}
      {selected.size === 0 ? null : (
        <div className="bulk-bar">
          <strong role="status">{words.selected(formats.number(selected.size))}</strong>
          <Menu
            label={words.chooseAction}
            button={<Button kind="main">{words.chooseAction}</Button>}
            actions={[
              ...kinds.map((id) => ({ id, name: words.actions[id], onAction: () => setOpen(id) })),
              ...(mayDelete
                ? [
                    {
                      id: 'delete',
                      name: words.actions.delete,
                      isDanger: true,
                      onAction: () => setOpen('delete' as const),
                    },
                  ]
                : []),
            ]}
          />
          <Button kind="quiet" onPress={() => onSelect(new Map())}>
            {words.clearSelection}
          </Button>
        </div>
      )}
      {open === null ? null : (
        <BulkDialog
          kind={open}
          entries={[...selected.values()]}
          onDone={(done) => void finish(done)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

function Failures({ failed }: { readonly failed: readonly FailedEntry[] }) {
  const { words: common } = useLanguage()
  const words = useEntriesWords()
  if (failed.length === 0) return null
  return (
    <>
      <p>{words.failed(failed.length)}</p>
      <ul>
        {failed.map(({ entry, error }) => (
          <li key={entry.id}>
            <Link to="/console/entries/$entryId" params={{ entryId: entry.id }}>
              {entry.title}
            </Link>
            {': '}
            {error instanceof ApiFault && error.status === 412 ? words.somebodyElse : faultText(error, common)}
          </li>
        ))}
      </ul>
    </>
  )
}
