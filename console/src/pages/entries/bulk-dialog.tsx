import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { EntryFields, Visibility } from '../../api/entry-fields.ts'
import { groupsQuery } from '../../api/groups.ts'
import { type FailedEntry, withEach } from '../../api/many-entries.ts'
import { useSession } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { CategoryPicker } from '../../parts/fields/category-picker.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Select } from '../../parts/fields/select.tsx'
import { TagInput } from '../../parts/fields/tag-input.tsx'
import { VISIBILITIES } from './filters.ts'
import { addToProject, changeEntry, deleteEntries, type ListedEntry } from './queries.ts'
import { useEntriesWords } from './words.ts'

export type BulkKind = 'move' | 'addTags' | 'removeTags' | 'visibility' | 'project' | 'delete'

export interface Outcome {
  readonly text: string
  readonly failed: readonly FailedEntry[]
  /** Deleted entries, which can be restored. */
  readonly deleted: readonly ListedEntry[]
}

interface Choices {
  readonly category?: string
  readonly tags: readonly string[]
  readonly visibility?: Visibility
  readonly project?: string
}

/** Asks for a change, and makes it to all selected entries. */
export function BulkDialog(props: {
  readonly kind: BulkKind
  readonly entries: readonly ListedEntry[]
  readonly onDone: (outcome: Outcome) => void
  readonly onClose: () => void
}) {
  const { kind, entries, onDone, onClose } = props
  const { words: common, formats } = useLanguage()
  const words = useEntriesWords()
  const [chosen, setChosen] = useState<Choices>({ tags: [] })
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isIncomplete, setIncomplete] = useState(false)
  const run = async (): Promise<void> => {
    const ids = entries.map(({ id }) => id)
    const change = changeOf(kind, chosen)
    const { project } = chosen
    if (kind === 'project' ? project === undefined : kind !== 'delete' && change === null) return setIncomplete(true)
    setProgress(0)
    setError(null)
    try {
      if (kind === 'delete') {
        await deleteEntries(ids)
        return onDone({ text: words.deleted(ids.length), failed: [], deleted: entries })
      }
      if (project !== undefined && kind === 'project') await addToProject(project, ids)
      const failed =
        change === null ? [] : await withEach(entries, (entry) => changeEntry(entry, change(entry)), setProgress)
      onDone({ text: words.changedDone(ids.length - failed.length), failed, deleted: [] })
    } catch (problem) {
      setError(problem)
      setProgress(null)
    }
  }
  const isBusy = progress !== null
  const isDelete = kind === 'delete'
  return (
    <Dialog
      title={isDelete ? words.deleteTitle(entries.length) : words.actions[kind]}
      onClose={onClose}
      isBusy={isBusy}
      isAlert={isDelete}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        {isDelete ? <p className="dialog-text">{words.deleteText}</p> : null}
        <Choice kind={kind} chosen={chosen} onChoose={setChosen} fault={isIncomplete ? words.chooseFirst : null} />
        {error === null ? null : (
          <Notice tone="danger" role="alert">
            {faultText(error, common)}
          </Notice>
        )}
        <p role="status" className="quiet">
          {isBusy && !isDelete ? words.progress(formats.number(progress), formats.number(entries.length)) : ''}
        </p>
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={isBusy}>
            {common.cancel}
          </Button>
          <Button kind={isDelete ? 'danger' : 'main'} type="submit" isPending={isBusy}>
            {isDelete ? words.deleteConfirm : words.confirmAction}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Returns the function that gives the changed fields of an entry; null until a choice is made. */
function changeOf(kind: BulkKind, chosen: Choices): ((entry: ListedEntry) => Partial<EntryFields>) | null {
  const { category, tags, visibility } = chosen
  if (kind === 'move' && category !== undefined) return () => ({ category_id: category })
  if (kind === 'visibility' && visibility !== undefined) return () => ({ visibility })
  if (kind === 'addTags' && tags.length > 0) return (entry) => ({ tags: [...new Set([...entry.tags, ...tags])] })
  if (kind === 'removeTags' && tags.length > 0)
    return (entry) => ({ tags: entry.tags.filter((tag) => !tags.includes(tag)) })
  return null
}

function Choice(props: {
  readonly kind: BulkKind
  readonly chosen: Choices
  readonly fault: string | null
  readonly onChoose: (chosen: Choices) => void
}): ReactNode {
  const { kind, chosen, fault, onChoose } = props
  const { words: common } = useLanguage()
  const words = useEntriesWords()
  const { scopes } = useSession()
  const projects = useQuery({ ...groupsQuery('projects'), enabled: kind === 'project' })
  switch (kind) {
    case 'move':
      return (
        <CategoryPicker
          label={words.category}
          fault={fault}
          chosen={chosen.category ?? null}
          onChoose={(category) => onChoose({ ...chosen, category })}
        />
      )
    case 'addTags':
    case 'removeTags':
      return (
        <TagInput
          label={words.tags}
          fault={fault}
          tags={chosen.tags}
          onChange={(tags) => onChoose({ ...chosen, tags })}
        />
      )
    case 'visibility':
      return (
        <Select
          label={words.visibility}
          fault={fault}
          chosen={chosen.visibility ?? null}
          choices={VISIBILITIES.filter((level) => scopes.some((scope) => scope === `visibility:${level}`)).map(
            (id) => ({
              id,
              name: common.visibility[id].name,
              help: common.visibility[id].who,
            }),
          )}
          onChoose={(visibility) => onChoose({ ...chosen, visibility })}
        />
      )
    case 'project':
      return projects.data?.length === 0 ? (
        <p className="quiet">{words.noProjects}</p>
      ) : (
        <Select
          label={words.project}
          fault={fault}
          chosen={chosen.project ?? null}
          choices={(projects.data ?? []).map(({ id, name }) => ({ id, name }))}
          onChoose={(project) => onChoose({ ...chosen, project })}
        />
      )
    default:
      return null
  }
}
