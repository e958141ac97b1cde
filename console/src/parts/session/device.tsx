import Bowser from 'bowser'
import { useWords } from '../../i18n/language.tsx'

/**
 * Shows a browser in words, such as "Firefox on Windows", by its User-Agent header; the whole header is the tooltip.
 */
export function Device({ browser }: { readonly browser: string | null }) {
  const { sessions } = useWords()
  if (browser === null || browser === '') return <span>{sessions.unknownDevice}</span>
  const { browser: product, os } = Bowser.parse(browser)
  const name = product.name ?? ''
  const system = os.name ?? ''
  const text = name === '' ? sessions.unknownDevice : system === '' ? name : sessions.deviceOn(name, system)
  return (
    <span className="wrap" title={browser}>
      {text}
    </span>
  )
}
