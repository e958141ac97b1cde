import { useQuery } from '@tanstack/react-query'
import { sitesQuery } from '../../api/sites.ts'
import { useMay } from '../../api/use-session.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { Figure } from '../../parts/chart/figure.tsx'
import type { Analytics } from './queries.ts'
import { useChoices } from './use-choices.ts'
import { useInsightsWords } from './words.ts'

type SiteFigures = Analytics['by_site'][number]

/** Shows on which sites people search. */
export function BySite({ sites, total }: { readonly sites: readonly SiteFigures[]; readonly total: number }) {
  const { formats } = useLanguage()
  const words = useInsightsWords()
  const { isTable, showTable } = useChoices()
  const { data: namedSites = [] } = useQuery({ ...sitesQuery, enabled: useMay('sites:read') })
  const nameOf = ({ site_id: id }: SiteFigures): string =>
    id === null ? words.noSite : (namedSites.find((site) => site.id === id)?.name ?? words.goneSite)
  const rows = sites.toSorted((one, other) => other.searches - one.searches)
  const [first] = rows
  if (first === undefined) return null
  return (
    <Figure
      title={words.bySite}
      finding={
        first.site_id === null
          ? words.bySiteNone(formats.percent(first.searches / total))
          : words.bySiteFinding(nameOf(first), formats.percent(first.searches / total))
      }
      file="sites"
      rows={rows}
      keyOf={({ site_id: id }) => id ?? ''}
      columns={[
        { head: words.site, value: nameOf },
        { head: words.searches, value: (row) => row.searches, cell: (row) => formats.number(row.searches) },
        { head: words.withClick, value: (row) => row.clicked, cell: (row) => formats.number(row.clicked) },
        {
          head: words.withoutResult,
          value: (row) => row.zero_results,
          cell: (row) => formats.number(row.zero_results),
        },
      ]}
      isTable={isTable('sites')}
      onTable={(asTable) => showTable('sites', asTable)}
    >
      <ul className="insights-bars">
        {rows.map((row) => (
          <li key={row.site_id ?? ''}>
            <span className="wrap">{nameOf(row)}</span>
            <span className="insights-bar" aria-hidden>
              <span style={{ width: `${(100 * row.searches) / first.searches}%` }} />
            </span>
            <span className="insights-count">{formats.number(row.searches)}</span>
          </li>
        ))}
      </ul>
    </Figure>
  )
}
