import { CopyButton } from '../../parts/text/copy-button.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { useOperatorWords } from '../operator/words.ts'
import type { CreatedTenant } from './queries.ts'

/** Shows the secrets of a new tenant this one time. Only its button closes it, so that a stray Escape loses nothing. */
export function SecretsDialog({ created, onClose }: { readonly created: CreatedTenant; readonly onClose: () => void }) {
  const { secrets } = useOperatorWords()
  const { tenant, administrator, api_key: key } = created
  const hasSecrets = administrator !== null || key !== null
  return (
    <Dialog title={secrets.title(tenant.name)} isWide>
      <div className="stack">
        {hasSecrets ? <Notice tone="warning">{secrets.warning}</Notice> : null}
        {administrator === null ? null : (
          <>
            <Secret label={secrets.email} text={administrator.email} />
            <Secret label={secrets.password} text={administrator.password} />
          </>
        )}
        {key === null ? null : <Secret label={secrets.key} text={key.key} />}
      </div>
      <div className="dialog-actions">
        <Button kind="main" onPress={onClose}>
          {secrets.done}
        </Button>
      </div>
    </Dialog>
  )
}

function Secret({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Field label={label}>
      {(ids) => (
        <div className="with-button">
          <input {...ids} className="code" readOnly value={text} spellCheck={false} />
          <CopyButton text={text} />
        </div>
      )}
    </Field>
  )
}
