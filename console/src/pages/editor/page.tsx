import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { FileQuestion, Lock } from 'lucide-react'
import { useMemo, useState } from 'react'
import { answerOf, api, ApiFault } from '../../api/client.ts'
import { NO_FIELDS } from '../../api/entry-fields.ts'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import type { NewEntryStart } from './new-entry-start.ts'
import { baseOf } from './saving.ts'
import { useEditorWords } from './words.ts'
import { EntryForm } from './entry-form.tsx'
import './page.css'

/**
 * Returns the query for the state that writing begins with. It is always fetched, and never renewed while the person
 * writes.
 */
const editedQuery = (id: string) =>
  queryOptions({
    queryKey: ['edited', id],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/knowledge/knowledge-entries/{entry_id}', { signal, params: { path: { entry_id: id } } })),
  })

/** Writes a new entry, or changes one. */
export function EditorPage() {
  const { entryId } = useParams({ strict: false })
  const [createdId, setCreatedId] = useState<string>()
  const [previousEntryId, setPreviousEntryId] = useState(entryId)
  const [newEntryCount, setNewEntryCount] = useState(0)
  if (previousEntryId !== entryId) {
    setPreviousEntryId(entryId)
    if (entryId === undefined) {
      setCreatedId(undefined)
      setNewEntryCount(newEntryCount + 1)
    }
  }
  if (!useMay('knowledge:write')) return <Forbidden />
  // A new entry keeps its page when it is saved for the first time, so that the cursor stays in its place.
  return entryId === undefined || entryId === createdId ? (
    <NewEntry key={newEntryCount} entryId={entryId} onMade={setCreatedId} />
  ) : (
    <StoredEntry entryId={entryId} />
  )
}

function NewEntry(props: { readonly entryId: string | undefined; readonly onMade: (id: string) => void }) {
  const { entryId, onMade } = props
  const words = useEditorWords()
  const { category, title } = useSearch({ strict: false }) as NewEntryStart
  const blank = useMemo(() => ({ ...NO_FIELDS, category_id: category ?? null, title: title ?? '' }), [category, title])
  return (
    <Page
      title={entryId === undefined ? words.newTitle : words.editTitle}
      action={entryId === undefined ? undefined : <Links entryId={entryId} />}
    >
      <EntryForm base={null} blank={blank} onMade={onMade} />
    </Page>
  )
}

function StoredEntry({ entryId }: { readonly entryId: string }) {
  const words = useEditorWords()
  const entry = useQuery(editedQuery(entryId))
  const isMissing = entry.error instanceof ApiFault && [404, 422].includes(entry.error.status)
  if (isMissing) {
    return (
      <Page title={words.missing}>
        <Empty icon={FileQuestion} title={words.missing} help={words.missingHelp} />
      </Page>
    )
  }
  return (
    <Page title={words.editTitle} action={<Links entryId={entryId} />}>
      <QueryView query={entry} skeleton={<Skeleton lines={12} />}>
        {(read) => <EntryForm key={read.id} base={baseOf(read)} blank={NO_FIELDS} />}
      </QueryView>
    </Page>
  )
}

function Links({ entryId }: { readonly entryId: string }) {
  const words = useEditorWords()
  return (
    <div className="row editor-links">
      <Link to="/console/entries/$entryId/versions" params={{ entryId }} className="button button-quiet">
        {words.history}
      </Link>
      <Link
        to="/console/entries/$entryId"
        params={{ entryId }}
        activeOptions={{ exact: true }}
        className="button button-quiet"
      >
        {words.read}
      </Link>
    </div>
  )
}

function Forbidden() {
  const words = useEditorWords()
  return (
    <Page title={words.forbidden}>
      <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
    </Page>
  )
}
