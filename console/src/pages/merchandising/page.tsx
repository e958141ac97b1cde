import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ListOrdered, Lock } from 'lucide-react'
import { rulesQuery } from '../../api/merchandising.ts'
import { type Site, sitesQuery } from '../../api/sites.ts'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { SiteChoice, siteNamed } from '../../parts/fields/site-choice.tsx'
import { RuleTable } from './rule-table.tsx'
import { useMerchandisingWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/products/rules')

/** Lists the merchandising rules of a site. */
export function MerchandisingPage() {
  const words = useMerchandisingWords()
  const maySee = useMay('products:write')
  const sites = useQuery(sitesQuery)
  const { site: slug } = route.useSearch()
  const navigate = route.useNavigate()
  const site = siteNamed(sites.data ?? [], slug)
  const create =
    site === null || !maySee ? undefined : (
      <Link
        to="/console/products/rules/$ruleId"
        params={{ ruleId: 'new' }}
        search={{ site: site.slug }}
        className="button button-main"
      >
        {words.create}
      </Link>
    )
  return (
    <Page title={words.title} intro={words.intro} action={create}>
      {maySee ? (
        <QueryView query={sites}>
          {(all) =>
            site === null ? (
              <Empty icon={ListOrdered} title={words.noSite} />
            ) : (
              <>
                <SiteChoice
                  label={words.site}
                  sites={all}
                  chosen={site}
                  onChoose={(chosen) => void navigate({ search: { site: chosen } })}
                />
                <Rules site={site} />
              </>
            )
          }
        </QueryView>
      ) : (
        <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
      )}
    </Page>
  )
}

function Rules({ site }: { readonly site: Site }) {
  const words = useMerchandisingWords()
  const rules = useQuery(rulesQuery(site.id))
  return (
    <QueryView query={rules}>
      {(all) =>
        all.length === 0 ? (
          <Empty icon={ListOrdered} title={words.empty} help={words.emptyHelp} />
        ) : (
          <RuleTable site={site} rules={all} />
        )
      }
    </QueryView>
  )
}
