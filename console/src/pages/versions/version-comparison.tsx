import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import type { Entry } from '../../api/entries.ts'
import { useMay } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { versionQuery } from './queries.ts'
import { useVersionsWords } from './words.ts'
import { EntryDiff } from './entry-diff.tsx'
import { Markdown } from '../../parts/text/markdown.tsx'

const route = getRouteApi('/signed-in/console/entries/$entryId/versions')

/** Shows a version beside another one, and restores it. */
export function VersionComparison(props: {
  readonly now: Entry
  readonly version: number
  /** Previous version; null for the first. */
  readonly before: number | null
}) {
  const { now, version } = props
  const words = useVersionsWords()
  const { formats } = useLanguage()
  const mayWrite = useMay('knowledge:write')
  const { show = 'now' } = route.useSearch()
  const navigate = route.useNavigate()
  const earlier = useQuery(versionQuery(now.id, version))
  const [isAsking, setAsking] = useState(false)
  return (
    <section className="compared" aria-label={words.version(formats.number(version))}>
      <QueryView query={earlier}>
        {(was) => (
          <>
            <div className="compared-head">
              <h2>{words.version(formats.number(version))}</h2>
              {mayWrite ? (
                <Button icon={RotateCcw} onPress={() => setAsking(true)}>
                  {words.restore}
                </Button>
              ) : null}
            </div>
            <Tabs
              label={words.compare}
              chosen={show}
              onChoose={(next) =>
                void navigate({
                  search: ({ show: _before, ...rest }) => (next === 'now' ? rest : { ...rest, show: next }),
                  resetScroll: false,
                })
              }
              tabs={[
                { id: 'now', name: words.views.now, content: <EntryDiff before={was} after={now} /> },
                {
                  id: 'before',
                  name: words.views.before,
                  content: <DifferenceToPrevious was={was} before={props.before} />,
                },
                {
                  id: 'text',
                  name: words.views.text,
                  content: (
                    <div lang={was.language}>
                      <Markdown text={was.content} />
                    </div>
                  ),
                },
              ]}
            />
            {isAsking ? <RestoreDialog now={now} earlier={was} onClose={() => setAsking(false)} /> : null}
          </>
        )}
      </QueryView>
    </section>
  )
}

function DifferenceToPrevious({ was, before }: { readonly was: Entry; readonly before: number | null }) {
  const words = useVersionsWords()
  const earlier = useQuery({ ...versionQuery(was.id, before ?? 0), enabled: before !== null })
  if (before === null || (earlier.error instanceof ApiFault && earlier.error.status === 404)) {
    return <p className="quiet">{words.first}</p>
  }
  return <QueryView query={earlier}>{(old) => <EntryDiff before={old} after={was} />}</QueryView>
}
