import { useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { CopyButton } from './copy-button.tsx'

/**
 * Shows text for programs, to copy. Long lines scroll.
 * @param props.label name of the block, read out by screen readers
 * @param props.copy name of the button, if several are on a page
 */
export function CodeBlock(props: { readonly label: string; readonly text: string; readonly copy?: string }) {
  const { copy } = useWords()
  const [isByHand, setByHand] = useState(false)
  return (
    <div className="code-block">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
      <pre tabIndex={0} role="group" aria-label={props.label}>
        <code>{props.text}</code>
      </pre>
      <CopyButton text={props.text} name={props.copy} onFailed={() => setByHand(true)} />
      {isByHand ? (
        <p className="second" role="alert">
          {copy.failed}
        </p>
      ) : null}
    </div>
  )
}
