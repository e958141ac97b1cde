import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FileQuestion, History } from 'lucide-react'
import { ApiFault } from '../../api/client.ts'
import { type Entry, entryQuery } from '../../api/entries.ts'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { VersionComparison } from './version-comparison.tsx'
import { versionsQuery } from './queries.ts'
import { VersionList } from './version-list.tsx'
import { useVersionsWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/entries/$entryId/versions')

/** Shows earlier versions of an entry: what changed, and restoring one. */
export function VersionsPage() {
  const { entryId } = route.useParams()
  const words = useVersionsWords()
  const entry = useQuery(entryQuery(entryId))
  const isMissing = entry.error instanceof ApiFault && [404, 422].includes(entry.error.status)
  if (isMissing) {
    return (
      <Page title={words.missing}>
        <Empty icon={FileQuestion} title={words.missing} help={words.missingHelp} />
      </Page>
    )
  }
  return <QueryView query={entry}>{(now) => <Versions now={now} />}</QueryView>
}

function Versions({ now }: { readonly now: Entry }) {
  const words = useVersionsWords()
  const mayWrite = useMay('knowledge:write')
  const { version } = route.useSearch()
  const versions = useQuery(versionsQuery(now.id))
  return (
    <Page
      title={words.title}
      intro={words.intro(now.title)}
      action={
        <div className="row">
          <Link
            to="/console/entries/$entryId"
            params={{ entryId: now.id }}
            activeOptions={{ exact: true }}
            className="button"
          >
            {words.read}
          </Link>
          {mayWrite ? (
            <Link to="/console/entries/$entryId/edit" params={{ entryId: now.id }} className="button">
              {words.edit}
            </Link>
          ) : null}
        </div>
      }
    >
      <QueryView query={versions}>
        {(all) => {
          const list = all.filter((each) => each.version < now.version)
          const [newest] = list
          if (newest === undefined) return <Empty icon={History} title={words.none} help={words.noneHelp} />
          const chosen = list.find((each) => each.version === version) ?? newest
          const before = list.find((each) => each.version < chosen.version)?.version ?? null
          return (
            <div className="versions">
              <VersionList now={now} versions={list} chosen={chosen.version} />
              <VersionComparison key={chosen.version} now={now} version={chosen.version} before={before} />
            </div>
          )
        }}
      </QueryView>
    </Page>
  )
}
