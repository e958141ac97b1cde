import { queryOptions, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FileQuestion, Lock } from 'lucide-react'
import { useMemo } from 'react'
import { answerOf, api, ApiFault } from '../../api/client.ts'
import { NO_FIELDS } from '../../api/entry-fields.ts'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/empty.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { baseOf } from './saving.ts'
import { useEditorWords } from './words.ts'
import { Writing } from './writing.tsx'
import './page.css'

const newRoute = getRouteApi('/signed-in/console/entries/new')
const editRoute = getRouteApi('/signed-in/console/entries/$entryId/edit')

/** The state that writing begins with. Always fetched, and never renewed under somebody's hands. */
const editedQuery = (id: string) =>
  queryOptions({
    queryKey: ['edited', id],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: ({ signal }) =>
      answerOf(api.GET('/api/knowledge/knowledge-entries/{entry_id}', { signal, params: { path: { entry_id: id } } })),
  })

/** Writes a new entry. */
export function NewEntryPage() {
  const words = useEditorWords()
  const { category, title } = newRoute.useSearch()
  const blank = useMemo(() => ({ ...NO_FIELDS, category_id: category ?? null, title: title ?? '' }), [category, title])
  if (!useMay('knowledge:write')) return <Forbidden />
  return (
    <Page title={words.newTitle}>
      <Writing base={null} blank={blank} />
    </Page>
  )
}

/** Changes an entry. */
export function EditEntryPage() {
  const { entryId } = editRoute.useParams()
  const words = useEditorWords()
  const mayWrite = useMay('knowledge:write')
  const entry = useQuery({ ...editedQuery(entryId), enabled: mayWrite })
  if (!mayWrite) return <Forbidden />
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
      <Loaded query={entry} skeleton={<Skeleton lines={12} />}>
        {(read) => <Writing key={read.id} base={baseOf(read)} blank={NO_FIELDS} />}
      </Loaded>
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
