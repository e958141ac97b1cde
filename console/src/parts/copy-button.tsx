import { useEffect, useState } from 'react'
import { useWords } from '../i18n/language.tsx'

const SAID_FOR_MS = 4_000

/** Copies a text and reports the result. If the browser refuses, people are asked to copy by hand. */
export function CopyButton({ text, onFailed }: { readonly text: string; readonly onFailed: () => void }) {
  const { issuedKey } = useWords()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SAID_FOR_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      onFailed()
    }
  }
  return (
    <>
      <button type="button" className="button" onClick={() => void copy()}>
        {isCopied ? issuedKey.copied : issuedKey.copy}
      </button>
      <span className="only-read-out" role="status">
        {isCopied ? issuedKey.copied : ''}
      </span>
    </>
  )
}
