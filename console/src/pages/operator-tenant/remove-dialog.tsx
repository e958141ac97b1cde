import { useState } from 'react'
import { ApiFault } from '../../api/client.ts'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Form } from '../../parts/editing/form.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { NumberField } from '../../parts/fields/number-field.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { sayDone } from '../../parts/feedback/toast.tsx'
import type { Tenant } from '../operator/queries.ts'
import { useOperatorWords } from '../operator/words.ts'
import { useRemove } from './mutations.ts'

const DAYS = 30
const DAYS_MAX = 365

/** Asks when a tenant is to be removed, and for its short name, so that the operator removes the right one. */
export function RemoveDialog({ tenant, onClose }: { readonly tenant: Tenant; readonly onClose: () => void }) {
  const common = useWords()
  const { tenant: words } = useOperatorWords()
  const [days, setDays] = useState(DAYS)
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const remove = useRemove(tenant.id)
  const isConfirmed = typed.trim() === tenant.id
  const isLast = remove.error instanceof ApiFault && remove.error.status === 409
  const submit = (): void => {
    setTried(true)
    if (!isConfirmed) return
    remove.mutate(days, {
      onSuccess: () => {
        onClose()
        sayDone(words.planned)
      },
    })
  }
  return (
    <Dialog title={words.removeTitle(tenant.name)} onClose={onClose} isBusy={remove.isPending} isAlert>
      <p className="dialog-text">{words.removeText}</p>
      <Form names={['grace_days']} error={isLast ? null : remove.error} onSubmit={submit}>
        {isLast ? (
          <Notice tone="danger" role="alert">
            {words.last}
          </Notice>
        ) : null}
        <NumberField
          name="grace_days"
          label={words.graceDays}
          help={words.graceHelp}
          unit={words.graceUnit}
          min={0}
          max={DAYS_MAX}
          value={days}
          onChange={setDays}
        />
        <TextField
          name="confirm"
          autoComplete="off"
          label={words.confirmId(tenant.id)}
          fault={isTried && !isConfirmed ? words.confirmFault(tenant.id) : null}
          isCode
          value={typed}
          onChange={setTyped}
        />
        <div className="dialog-actions">
          <Button onPress={onClose} isDisabled={remove.isPending}>
            {common.cancel}
          </Button>
          <Button kind="danger" type="submit" isPending={remove.isPending}>
            {words.removeSubmit}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
