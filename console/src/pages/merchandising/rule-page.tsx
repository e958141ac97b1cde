import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ListX, Lock } from 'lucide-react'
import { type Rule, rulesQuery } from '../../api/merchandising.ts'
import { type Site, sitesQuery } from '../../api/sites.ts'
import { useMay } from '../../api/use-session.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { siteNamed } from '../../parts/fields/site-choice.tsx'
import { RuleEditor } from './rule-editor.tsx'
import { useMerchandisingWords } from './words.ts'
import './page.css'

const route = getRouteApi('/signed-in/console/products/rules/$ruleId')

/** Shows one rule to write, beside its effect. */
export function RulePage() {
  const words = useMerchandisingWords()
  const maySee = useMay('products:write')
  const sites = useQuery(sitesQuery)
  const { site: slug } = route.useSearch()
  const { ruleId } = route.useParams()
  if (!maySee)
    return (
      <Page title={words.title}>
        <Empty icon={Lock} title={words.forbidden} help={words.forbiddenHelp} />
      </Page>
    )
  return (
    <QueryView query={sites}>
      {(all) => {
        const site = siteNamed(all, slug)
        return site === null ? <Missing /> : <RuleOfSite key={ruleId} site={site} ruleId={ruleId} />
      }}
    </QueryView>
  )
}

function RuleOfSite({ site, ruleId }: { readonly site: Site; readonly ruleId: string }) {
  const rules = useQuery(rulesQuery(site.id))
  return <QueryView query={rules}>{(all) => <RuleById site={site} ruleId={ruleId} rules={all} />}</QueryView>
}

function RuleById(props: { readonly site: Site; readonly ruleId: string; readonly rules: readonly Rule[] }) {
  const words = useMerchandisingWords()
  const { site, ruleId, rules } = props
  const rule = rules.find(({ id }) => id === ruleId) ?? null
  if (rule === null && ruleId !== 'new') return <Missing />
  return (
    <>
      <nav className="rule-way" aria-label={words.toRules}>
        <Link to="/console/products/rules" search={{ site: site.slug }}>
          {words.toRules}
        </Link>
      </nav>
      <Page title={rule?.name ?? words.newTitle}>
        <RuleEditor site={site} rule={rule} rules={rules} />
      </Page>
    </>
  )
}

function Missing() {
  const words = useMerchandisingWords()
  return (
    <Page title={words.missing}>
      <Empty icon={ListX} title={words.missing} help={words.missingHelp} />
    </Page>
  )
}
