import { useLanguage } from '../../i18n/language.tsx'
import { Notice } from '../feedback/notice.tsx'

/** Shows how long to wait. The display counts down, but screen readers announce only the beginning and the end. */
export function ThrottleNotice({ secondsLeft }: { readonly secondsLeft: number }) {
  const { words, formats } = useLanguage()
  const { signIn } = words
  return (
    <Notice tone="warning">
      <p role="alert">{secondsLeft > 0 ? signIn.throttled : signIn.mayTryAgain}</p>
      {secondsLeft > 0 ? <p>{signIn.waitFor(formats.wait(secondsLeft))}</p> : null}
    </Notice>
  )
}
