import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ApiFault } from '../../api/client.ts'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { Tabs } from '../../parts/layout/tabs.tsx'
import { type Tenant, tenantQuery } from '../operator/queries.ts'
import { useOperatorWords } from '../operator/words.ts'
import { QuotasSection } from './quotas.tsx'
import type { TenantTab } from './tabs.ts'
import { SettingsForm } from './settings-form.tsx'
import { StateSection } from './state.tsx'
import { UsageSection } from './usage.tsx'
import '../settings/page.css'
import './page.css'

const route = getRouteApi('/console/operator/tenants/$tenantId')

/** Shows one tenant: its state, its use, its quotas and its settings. */
export function OperatorTenantPage() {
  const { tenantId } = route.useParams()
  const { tenant: words } = useOperatorWords()
  const tenant = useQuery(tenantQuery(tenantId))
  const isGone = tenant.error instanceof ApiFault && tenant.error.status === 404
  if (isGone) {
    return (
      <Page title={tenantId}>
        <Empty
          title={words.gone}
          help={words.goneHelp}
          action={<Link to="/console/operator/tenants">{words.back}</Link>}
        />
      </Page>
    )
  }
  return (
    <Page title={tenant.data?.name ?? tenantId} action={<Link to="/console/operator/tenants">{words.back}</Link>}>
      <QueryView query={tenant}>{(data) => <Parts key={data.id} tenant={data} />}</QueryView>
    </Page>
  )
}

function Parts({ tenant }: { readonly tenant: Tenant }) {
  const { tenant: words } = useOperatorWords()
  const { tab = 'usage' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <div className="tenant">
      <StateSection tenant={tenant} />
      <Tabs
        label={words.facts}
        chosen={tab}
        onChoose={(id: TenantTab) => void navigate({ search: id === 'usage' ? {} : { tab: id }, resetScroll: false })}
        tabs={[
          { id: 'usage', name: words.tabs.usage, content: <UsageSection tenantId={tenant.id} /> },
          { id: 'quotas', name: words.tabs.quotas, content: <QuotasSection tenantId={tenant.id} /> },
          { id: 'settings', name: words.tabs.settings, content: <SettingsForm tenant={tenant} /> },
        ]}
      />
    </div>
  )
}
