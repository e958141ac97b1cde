import { useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { ConfirmDialog } from '../../parts/feedback/confirm-dialog.tsx'
import { faultText } from '../../parts/feedback/fault-text.ts'
import { Notice } from '../../parts/feedback/notice.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import type { Tenant } from '../operator/queries.ts'
import { StateBadge } from '../operator/state-badge.tsx'
import { useOperatorWords } from '../operator/words.ts'
import { useTurn } from './mutations.ts'
import { RemoveDialog } from './remove-dialog.tsx'

/** Shows the state of a tenant, what it means, and the actions that change it. */
export function StateSection({ tenant }: { readonly tenant: Tenant }) {
  const { words: common, formats } = useLanguage()
  const { tenant: words } = useOperatorWords()
  const [dialog, setDialog] = useState<'suspend' | 'remove' | null>(null)
  const turn = useTurn(tenant.id)
  const { state, name } = tenant
  const moment = (iso: string | null): string => (iso === null ? '' : formats.moment(iso))
  const meaning = {
    active: words.activeText,
    suspended: words.suspendedText(moment(tenant.suspended_at)),
    removal_planned: words.plannedText(moment(tenant.remove_at)),
    removing: words.removingText,
  }[state]
  const close = (): void => setDialog(null)
  return (
    <div className="tenant-state">
      <p className="row">
        <StateBadge state={state} />
        <span>{meaning}</span>
      </p>
      {turn.error === null || dialog !== null ? null : (
        <Notice tone="danger" role="alert">
          {faultText(turn.error, common)}
        </Notice>
      )}
      <p className="row">
        {state === 'active' ? <Button onPress={() => setDialog('suspend')}>{words.suspend}</Button> : null}
        {state === 'suspended' ? (
          <>
            <Button
              kind="main"
              isPending={turn.isPending}
              onPress={() => turn.mutate('resume', { onSuccess: () => sayDone(words.resumed(name)) })}
            >
              {words.resume}
            </Button>
            <Button onPress={() => setDialog('remove')}>{words.remove}</Button>
          </>
        ) : null}
        {state === 'removal_planned' ? (
          <Button
            kind="main"
            isPending={turn.isPending}
            onPress={() => turn.mutate('keep', { onSuccess: () => sayDone(words.kept) })}
          >
            {words.keep}
          </Button>
        ) : null}
      </p>
      {dialog === 'suspend' ? (
        <ConfirmDialog
          title={words.suspendTitle(name)}
          text={words.suspendText}
          confirm={words.suspend}
          isBusy={turn.isPending}
          error={turn.error}
          onClose={close}
          onConfirm={() =>
            turn.mutate('suspend', {
              onSuccess: () => {
                close()
                sayDone(words.suspended(name))
              },
            })
          }
        />
      ) : null}
      {dialog === 'remove' ? <RemoveDialog tenant={tenant} onClose={close} /> : null}
    </div>
  )
}
