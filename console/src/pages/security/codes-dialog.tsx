import { useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { CopyButton } from '../../parts/text/copy-button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'

/** Shows new recovery codes this one time. Only its button closes the dialog, so that a stray Escape loses none. */
export function CodesDialog({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { codes: text } = useWords().security
  const [isByHand, setByHand] = useState(false)
  return (
    <Dialog title={text.shownTitle} isWide>
      <Notice tone="warning">{text.warning}</Notice>
      <ul className="recovery-codes" aria-label={text.list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      {isByHand ? (
        <Notice tone="warning" role="alert">
          {text.copyFailed}
        </Notice>
      ) : null}
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')} onFailed={() => setByHand(true)} />
        <button type="button" className="button button-main" onClick={onClose}>
          {text.done}
        </button>
      </div>
    </Dialog>
  )
}
