import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ApiFault } from '../../api/client.ts'
import { type EntryRead, entryQuery } from '../../api/entries.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { headingsOf, withoutTitle } from '../../parts/text/headings.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Markdown } from '../../parts/text/markdown.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Actions } from './actions.tsx'
import { About } from './about.tsx'
import { Contents } from './contents.tsx'
import { Others } from './others.tsx'
import { useEntryWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/entries/$entryId')

/** Reads one entry. */
export function EntryPage() {
  const { entryId } = route.useParams()
  const words = useEntryWords()
  const entry = useQuery(entryQuery(entryId))
  // The address has no valid id, or the id of an entry that the person may not see.
  const isMissing = entry.error instanceof ApiFault && [404, 422].includes(entry.error.status)
  if (isMissing) {
    return (
      <Page title={words.missing} intro={words.missingHelp}>
        <Link to="/console">{words.toSearch}</Link>
      </Page>
    )
  }
  return (
    <QueryView query={entry} skeleton={<Skeleton lines={12} />}>
      {(read) => <Reading key={read.id} entry={read} />}
    </QueryView>
  )
}

function Reading({ entry }: { readonly entry: EntryRead }) {
  const words = useEntryWords()
  const text = withoutTitle(entry.content, entry.title)
  return (
    <article className="entry">
      <div className="entry-head">
        <Breadcrumbs entry={entry} />
        <Page title={entry.title} intro={entry.summary ?? undefined} action={<Actions entryId={entry.id} />} />
        {entry.isLeftOut ? <Notice tone="warning">{words.leftOut}</Notice> : null}
      </div>
      <div className="entry-text" lang={entry.language}>
        <Markdown text={text} />
      </div>
      <aside className="entry-side" aria-label={words.facts}>
        <Contents headings={headingsOf(text)} />
        <About entry={entry} />
        <Others entryId={entry.id} />
      </aside>
    </article>
  )
}
