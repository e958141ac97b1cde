import Bowser from 'bowser'
import { useWords } from '../../i18n/language.tsx'

/** A browser in words, such as "Firefox on Windows", by what it said it is; the whole text as a tooltip. */
export function Device({ browser }: { readonly browser: string | null }) {
  const { sessions } = useWords()
  if (browser === null || browser === '') return <span>{sessions.unknownDevice}</span>
  const { browser: found, os } = Bowser.parse(browser)
  const name = found.name ?? ''
  const system = os.name ?? ''
  const text = name === '' ? sessions.unknownDevice : system === '' ? name : sessions.deviceOn(name, system)
  return (
    <span className="wrap" title={browser}>
      {text}
    </span>
  )
}
