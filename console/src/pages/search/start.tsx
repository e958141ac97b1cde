import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileText, History } from 'lucide-react'
import { useMay } from '../../api/use-session.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Ago } from '../../parts/text/time.tsx'
import { HIT } from './field.tsx'
import { type ListedEntry, newestQuery } from './queries.ts'
import { useSearchWords } from './words.ts'

/** Shows the person's last searches and the newest entries, before the first query. */
export function Start(props: {
  readonly recent: readonly string[]
  readonly onAsk: (query: string) => void
  readonly onForget: () => void
}) {
  const words = useSearchWords()
  const mayWrite = useMay('knowledge:write')
  const newest = useQuery(newestQuery)
  const isAdmin = useMay('tenant:admin')
  return (
    <>
      {props.recent.length === 0 ? null : (
        <Section title={words.recent}>
          <div className="row recent">
            {props.recent.map((query) => (
              <Button key={query} kind="quiet" size="small" icon={History} onPress={() => props.onAsk(query)}>
                {query}
              </Button>
            ))}
            <Button kind="quiet" size="small" onPress={props.onForget}>
              {words.forget}
            </Button>
          </div>
        </Section>
      )}
      <QueryView query={newest}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty
              icon={FileText}
              title={words.empty}
              help={isAdmin ? words.emptyAdmin : words.emptyHelp}
              action={
                isAdmin ? (
                  <Link to="/console/first-steps" className="button button-main">
                    {words.firstSteps}
                  </Link>
                ) : mayWrite ? (
                  <Begin />
                ) : undefined
              }
            />
          ) : (
            <Section title={words.newest}>
              <ul className="newest">
                {entries.map((entry) => (
                  <Newest key={entry.id} entry={entry} />
                ))}
              </ul>
            </Section>
          )
        }
      </QueryView>
    </>
  )
}

/** Shows the two ways to the first entries. */
function Begin() {
  const words = useSearchWords()
  return (
    <>
      <Link to="/console/entries/new" className="button button-main">
        {words.write}
      </Link>
      <Link to="/console/import" className="button">
        {words.import}
      </Link>
    </>
  )
}

function Newest({ entry }: { readonly entry: ListedEntry }) {
  const { entryTypes } = useWords()
  const { category_path: path = [] } = entry
  return (
    <li>
      <Link to="/console/entries/$entryId" params={{ entryId: entry.id }} className={`${HIT} newest-link`}>
        <FileText className="icon" size={18} strokeWidth={1.5} aria-hidden />
        <span>
          <span lang={entry.language} className="newest-title">
            {entry.title}
          </span>
          <span className="second">
            {entryTypes[entry.type]} · {path.join(' › ')} · <Ago iso={entry.updated_at} />
          </span>
        </span>
      </Link>
    </li>
  )
}
