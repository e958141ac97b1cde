import { Link } from '@tanstack/react-router'
import { useWords } from '../../i18n/language.tsx'

/** Leads from the page of a link that no longer works to the sign-in. */
export function ToSignIn() {
  const { signIn } = useWords()
  return (
    <p className="aside">
      <Link to="/console/sign-in">{signIn.toSignIn}</Link>
    </p>
  )
}
