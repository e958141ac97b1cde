import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, apiKeysQuery, type IssuedKey, useRevokeKey } from '../../api/api-keys.ts'
import { useMay } from '../../api/use-session.ts'
import { Announcement, type Completion } from '../../parts/feedback/announcement.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { Empty } from '../../parts/feedback/empty.tsx'
import { QueryView } from '../../parts/feedback/query-view.tsx'
import { Page } from '../../parts/layout/page.tsx'
import { IssueDialog } from './issue-dialog.tsx'
import { unrevokedIssue } from './issued-by-key.ts'
import { IssuedDialog } from './issued-dialog.tsx'
import { KeyTable } from './key-table.tsx'
import { useApiKeysWords } from './words.ts'
import './page.css'

/** Lists the API keys of the organisation, and issues and revokes them. */
export function ApiKeysPage() {
  const { apiKeys } = useApiKeysWords()
  const mayManage = useMay('tenant:admin')
  if (mayManage) return <ManagedKeys />
  return (
    <Page title={apiKeys.title}>
      <Empty title={apiKeys.forbidden} help={apiKeys.forbiddenHelp} />
    </Page>
  )
}

type Open = { kind: 'issue' } | { kind: 'issued'; key: IssuedKey } | { kind: 'revoke'; key: ApiKey } | null

function ManagedKeys() {
  const { apiKeys } = useApiKeysWords()
  const keys = useQuery(apiKeysQuery)
  const [open, setOpen] = useState<Open>(null)
  const [done, setDone] = useState<Completion | null>(null)
  const close = (): void => setOpen(null)
  return (
    <Page
      title={apiKeys.title}
      intro={apiKeys.intro}
      action={
        <button type="button" className="button button-main" onClick={() => setOpen({ kind: 'issue' })}>
          {apiKeys.issue}
        </button>
      }
    >
      <Announcement done={done} />
      <QueryView query={keys}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={apiKeys.empty} help={apiKeys.emptyHelp} />
          ) : (
            <KeyTable keys={list} now={keys.dataUpdatedAt} onRevoke={(key) => setOpen({ kind: 'revoke', key })} />
          )
        }
      </QueryView>
      {open?.kind === 'issue' ? (
        <IssueDialog
          onIssued={(key) => {
            setDone(null)
            setOpen({ kind: 'issued', key })
          }}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'issued' ? <IssuedDialog issued={open.key} onClose={close} /> : null}
      {open?.kind === 'revoke' ? (
        <RevokeDialog
          apiKey={open.key}
          issued={unrevokedIssue(keys.data ?? [], open.key.id)}
          onClose={close}
          onDone={(count) => {
            const { name } = open.key
            setDone({ text: count === null ? apiKeys.revoked(name) : apiKeys.revokedWithIssued(name, count) })
            close()
          }}
        />
      ) : null}
    </Page>
  )
}

function RevokeDialog(props: {
  readonly apiKey: ApiKey
  /** Number of unrevoked keys that were issued with this key. */
  readonly issued: number
  /** Called with the number of revoked keys; null when only this key was revoked. */
  readonly onDone: (count: number | null) => void
  readonly onClose: () => void
}) {
  const { apiKeys } = useApiKeysWords()
  const revoke = useRevokeKey()
  const { id, name, revoked_at } = props.apiKey
  const isOver = revoked_at !== null
  const [withIssued, setWithIssued] = useState(isOver)
  const choice =
    props.issued === 0 ? null : (
      <label className="check">
        <input
          type="checkbox"
          checked={withIssued}
          disabled={isOver}
          onChange={(event) => setWithIssued(event.target.checked)}
        />
        <span>{apiKeys.revokeIssued(props.issued)}</span>
      </label>
    )
  return (
    <ConfirmDialog
      title={apiKeys.revokeTitle}
      text={apiKeys.revokeText(name)}
      confirm={apiKeys.revoke}
      isBusy={revoke.isPending}
      error={revoke.error}
      choice={choice}
      onConfirm={() =>
        revoke.mutate(
          { keyId: id, withIssued },
          { onSuccess: (answer) => props.onDone(withIssued ? (answer?.revoked ?? 0) : null) },
        )
      }
      onClose={props.onClose}
    />
  )
}
