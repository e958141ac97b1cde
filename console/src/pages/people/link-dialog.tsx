import { useRef, useState } from 'react'
import { useLanguage } from '../../i18n/language.tsx'
import { Button } from '../../parts/layout/button.tsx'
import { CopyButton } from '../../parts/text/copy-button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Field } from '../../parts/fields/field.tsx'
import { Notice } from '../../parts/feedback/notice.tsx'
import { usePeopleWords } from './words.ts'

/** Shows a link this one time. Only its button closes the dialog, so that a stray Escape cannot lose the link. */
export function LinkDialog(props: {
  readonly title: string
  readonly email: string
  readonly link: string
  readonly expiresAt: string
  readonly onClose: () => void
}) {
  const { words, formats } = useLanguage()
  const { link: text } = usePeopleWords()
  const input = useRef<HTMLInputElement>(null)
  const [isByHand, setByHand] = useState(false)
  const select = (): void => {
    input.current?.focus()
    input.current?.select()
  }
  return (
    <Dialog title={props.title} isWide>
      <p className="dialog-text">{text.text(props.email, formats.moment(props.expiresAt))}</p>
      <Notice tone="warning">{text.warning}</Notice>
      <Field label={text.label}>
        {(ids) => (
          <div className="with-button">
            <input
              {...ids}
              ref={input}
              className="code"
              readOnly
              value={props.link}
              onFocus={select}
              spellCheck={false}
            />
            <CopyButton
              text={props.link}
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
          {words.copy.failed}
        </Notice>
      ) : null}
      <div className="dialog-actions">
        <Button kind="main" onPress={props.onClose}>
          {text.done}
        </Button>
      </div>
    </Dialog>
  )
}
