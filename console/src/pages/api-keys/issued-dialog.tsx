import { useRef, useState } from 'react'
import type { IssuedKey } from '../../api/api-keys.ts'
import { useWords } from '../../i18n/language.tsx'
import { CopyButton } from '../../parts/text/copy-button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { useApiKeysWords } from './words.ts'

/** Shows a new key this one time. Only its button closes the dialog, so that a stray Escape cannot lose the key. */
export function IssuedDialog({ issued, onClose }: { readonly issued: IssuedKey; readonly onClose: () => void }) {
  const { copy } = useWords()
  const { issuedKey } = useApiKeysWords()
  const input = useRef<HTMLInputElement>(null)
  const [isByHand, setByHand] = useState(false)
  const select = (): void => {
    input.current?.focus()
    input.current?.select()
  }
  return (
    <Dialog title={issuedKey.title} isWide>
      <p className="dialog-text">{issued.name}</p>
      <Notice tone="warning">{issuedKey.warning}</Notice>
      <Field label={issuedKey.key}>
        {(ids) => (
          <div className="with-button">
            <input
              {...ids}
              ref={input}
              className="code"
              readOnly
              value={issued.key}
              onFocus={select}
              spellCheck={false}
            />
            <CopyButton
              text={issued.key}
              onFailed={() => {
                setByHand(true)
                select()
              }}
            />
          </div>
        )}
      </Field>
      {isByHand ? (
        <Notice tone="warning" role="alert">
          {copy.failed}
        </Notice>
      ) : null}
      <div className="dialog-actions">
        <button type="button" className="button button-main" onClick={onClose}>
          {issuedKey.done}
        </button>
      </div>
    </Dialog>
  )
}
