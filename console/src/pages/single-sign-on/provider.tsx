import { useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { Button } from '../../parts/layout/button.tsx'
import { CopyButton } from '../../parts/text/copy-button.tsx'
import { DescriptionList } from '../../parts/layout/description-list.tsx'
import { breakable } from '../../parts/text/breakable.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { Section } from '../../parts/layout/section.tsx'
import { Skeleton } from '../../parts/feedback/skeleton.tsx'
import { Ago } from '../../parts/text/time.tsx'
import { type Provider, providerQuery } from './queries.ts'
import { useSingleSignOnWords } from './words.ts'

/** Shows whether a company account is connected, and whether it answers. */
export function ProviderSection() {
  const { provider: words } = useSingleSignOnWords()
  const provider = useQuery(providerQuery)
  return (
    <Section title={words.title}>
      <QueryView query={provider} skeleton={<Skeleton lines={3} />}>
        {(data) =>
          data === null ? (
            <Notice tone="plain">
              <p>
                <strong>{words.none}</strong>
              </p>
              <p>{words.noneHelp}</p>
            </Notice>
          ) : (
            <ConnectedProvider provider={data} isBusy={provider.isFetching} onCheck={() => void provider.refetch()} />
          )
        }
      </QueryView>
    </Section>
  )
}

function ConnectedProvider(props: {
  readonly provider: Provider
  readonly isBusy: boolean
  readonly onCheck: () => void
}) {
  const { name, issuer, scopes, answers, checked_at: checked } = props.provider
  const { redirect_uri: redirect, backchannel_logout_uri: logout } = props.provider
  const { provider: words } = useSingleSignOnWords()
  return (
    <div className="stack">
      <Notice tone={answers ? 'success' : 'warning'} role="status">
        <p>
          <strong>{answers ? words.works(name) : words.silent(name)}</strong>
        </p>
        <p>{answers ? words.worksHelp : words.silentHelp}</p>
      </Notice>
      <DescriptionList
        facts={[
          [words.issuer, breakable(issuer)],
          [words.redirect, <ToRegister key="redirect" address={redirect} help={words.redirectHelp} />],
          [words.logout, <ToRegister key="logout" address={logout} help={words.logoutHelp} />],
          [words.scopes, <code key="scopes">{scopes}</code>],
          [
            words.checked,
            <span key="checked" className="row">
              <Ago iso={checked} />
              <Button kind="quiet" size="small" icon={RefreshCw} isPending={props.isBusy} onPress={props.onCheck}>
                {words.again}
              </Button>
            </span>,
          ],
        ]}
      />
    </div>
  )
}

/** Shows an address of the service that the company account has to know. */
function ToRegister({ address, help }: { readonly address: string; readonly help: string }) {
  return (
    <span className="stack sso-address">
      <code className="wrap">{breakable(address)}</code>
      <span className="second">{help}</span>
      <span className="row">
        <CopyButton text={address} />
      </span>
    </span>
  )
}
