import type { Analytics } from './queries.ts'
import { Content } from './content.tsx'
import { OverTime } from './over-time.tsx'
import { Learning } from './learning.tsx'
import { QueryLists } from './query-lists.tsx'
import { BySite } from './by-site.tsx'
import { Summary } from './summary.tsx'
import { useAsked } from './use-asked.ts'

/** All figures of the chosen searches. */
export function Overview({ found }: { readonly found: Analytics }) {
  const { asked } = useAsked()
  const hasProducts = asked.section !== 'knowledge' && found.by_section.some(({ section }) => section === 'products')
  return (
    <>
      <Summary total={found.total} />
      <OverTime found={found} />
      <QueryLists found={found} hasProducts={hasProducts} />
      <Content opened={found.top_products} />
      {found.by_site.length > 1 ? <BySite sites={found.by_site} total={found.total.searches} /> : null}
      {hasProducts || asked.learnt !== undefined ? <Learning site={asked.site ?? busiestSite(found.by_site)} /> : null}
    </>
  )
}

/** Clicks teach each site on its own: without a choice it is the one with most searches; undefined where none is named. */
function busiestSite(sites: Analytics['by_site']): string | undefined {
  const named = sites.filter(({ site_id: id }) => id !== null)
  return named.toSorted((one, other) => other.searches - one.searches)[0]?.site_id ?? undefined
}
