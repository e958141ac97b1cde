import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useWords } from '../../i18n/language.tsx'
import { Button } from '../layout/button.tsx'

const SAID_FOR_MS = 4_000

/**
 * Shows a button that copies a text and reports the result.
 * @param props.name name of the button, if it is not just "Copy"
 * @param props.onFailed called when the browser refuses, so that people can be asked to copy by hand
 */
export function CopyButton(props: { readonly text: string; readonly name?: string; readonly onFailed?: () => void }) {
  const { copy } = useWords()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const toClipboard = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(props.text)
      setCopied(true)
    } catch {
      props.onFailed?.()
    }
  }
  return (
    <>
      <Button icon={isCopied ? Check : Copy} onPress={() => void toClipboard()}>
        {isCopied ? copy.copied : (props.name ?? copy.copy)}
      </Button>
      <span className="only-read-out" role="status">
        {isCopied ? copy.copied : ''}
      </span>
    </>
  )
}
