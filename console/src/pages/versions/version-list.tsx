import { Link } from '@tanstack/react-router'
import type { Entry } from '../../api/entries.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Ago } from '../../parts/text/time.tsx'
import { useVersionsWords } from './words.ts'

interface Head {
  readonly version: number
  readonly title: string
  readonly updated_at: string
}

/** Lists the versions to choose from. Each has an address of its own. */
export function VersionList(props: {
  readonly now: Entry
  readonly versions: readonly Head[]
  readonly chosen: number
}) {
  const words = useVersionsWords()
  const { formats } = useLanguage()
  const { now, versions, chosen } = props
  return (
    <nav aria-label={words.list} className="version-list">
      <p className="version-now">
        {words.now} <span className="second">{words.version(formats.number(now.version))}</span>
        <span className="second">
          <Ago iso={now.updated_at} />
        </span>
      </p>
      <ol className="plain-list" reversed>
        {versions.map(({ version, title, updated_at: updatedAt }) => (
          <li key={version}>
            <Link
              to="/console/entries/$entryId/versions"
              params={{ entryId: now.id }}
              search={(before) => ({ ...before, version })}
              resetScroll={false}
              aria-current={version === chosen ? 'true' : undefined}
              className="version-link"
            >
              {words.version(formats.number(version))}
              <span className="second">
                <Ago iso={updatedAt} />
              </span>
              {title === now.title ? null : <span className="second wrap">{title}</span>}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
