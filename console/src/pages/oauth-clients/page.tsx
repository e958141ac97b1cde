import { useState } from 'react'
import { type OauthClient, type OauthGrant, useRemoveClient, useRevokeGrant } from '../../api/oauth-clients.ts'
import { useMay } from '../../api/use-session.ts'
import { Announcement, type Completion } from '../../parts/feedback/announcement.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { ClientSection } from './clients.tsx'
import { GrantSection } from './grants.tsx'
import { useOauthWords } from './words.ts'

type Removal = { kind: 'grant'; grant: OauthGrant } | { kind: 'client'; client: OauthClient } | null

/** Shows connections. Administrators see all of them and the registered applications, other people their own. */
export function OauthClientsPage() {
  const oauth = useOauthWords()
  const isAdmin = useMay('tenant:admin')
  const [removal, setRemoval] = useState<Removal>(null)
  const [done, setDone] = useState<Completion | null>(null)
  const close = (): void => setRemoval(null)
  const finish = (text: string): void => {
    setDone({ text })
    close()
  }
  return (
    <Page title={isAdmin ? oauth.title : oauth.titleOwn} intro={isAdmin ? oauth.intro : oauth.introOwn}>
      <Announcement done={done} />
      <GrantSection onRevoke={(grant) => setRemoval({ kind: 'grant', grant })} />
      {isAdmin ? <ClientSection onRemove={(client) => setRemoval({ kind: 'client', client })} /> : null}
      {removal?.kind === 'grant' ? <GrantDialog grant={removal.grant} onDone={finish} onClose={close} /> : null}
      {removal?.kind === 'client' ? <ClientDialog client={removal.client} onDone={finish} onClose={close} /> : null}
    </Page>
  )
}

interface DialogProps {
  readonly onDone: (message: string) => void
  readonly onClose: () => void
}

function GrantDialog({ grant, onDone, onClose }: DialogProps & { readonly grant: OauthGrant }) {
  const oauth = useOauthWords()
  const revoke = useRevokeGrant()
  return (
    <ConfirmDialog
      title={oauth.disconnectTitle}
      text={oauth.disconnectText(grant.client_name)}
      confirm={oauth.disconnect}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate(grant.id, { onSuccess: () => onDone(oauth.disconnected(grant.client_name)) })}
      onClose={onClose}
    />
  )
}

function ClientDialog({ client, onDone, onClose }: DialogProps & { readonly client: OauthClient }) {
  const oauth = useOauthWords()
  const remove = useRemoveClient()
  return (
    <ConfirmDialog
      title={oauth.removeTitle}
      text={oauth.removeText(client.client_name)}
      confirm={oauth.remove}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(client.client_id, { onSuccess: () => onDone(oauth.removed(client.client_name)) })}
      onClose={onClose}
    />
  )
}
