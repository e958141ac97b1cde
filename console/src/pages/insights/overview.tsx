import type { Analytics } from './queries.ts'
import { Content } from './content.tsx'
import { OverTime } from './over-time.tsx'
import { Learning } from './learning.tsx'
import { QueryLists } from './query-lists.tsx'
import { BySite } from './by-site.tsx'
import { Summary } from './summary.tsx'
import { useChoices } from './use-choices.ts'

/** Shows all figures of the chosen searches. */
export function Overview({ analytics }: { readonly analytics: Analytics }) {
  const { choices } = useChoices()
  const hasProducts =
    choices.section !== 'knowledge' && analytics.by_section.some(({ section }) => section === 'products')
  return (
    <>
      <Summary total={analytics.total} />
      <OverTime analytics={analytics} />
      <QueryLists analytics={analytics} hasProducts={hasProducts} />
      <Content opened={analytics.top_products} />
      {analytics.by_site.length > 1 ? <BySite sites={analytics.by_site} total={analytics.total.searches} /> : null}
      {hasProducts || choices.learnt !== undefined ? (
        <Learning site={choices.site ?? busiestSite(analytics.by_site)} />
      ) : null}
    </>
  )
}

/**
 * Returns the site with most searches, because clicks move products of each site on its own; undefined when no search
 * names a site.
 */
function busiestSite(sites: Analytics['by_site']): string | undefined {
  const namedSites = sites.filter(({ site_id: id }) => id !== null)
  return namedSites.toSorted((one, other) => other.searches - one.searches)[0]?.site_id ?? undefined
}
