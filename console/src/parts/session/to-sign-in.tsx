import { Link } from '@tanstack/react-router'
import { useWords } from '../../i18n/language.tsx'

/** Says below a link that no longer works where else to go. */
export function ToSignIn() {
  const { signIn } = useWords()
  return (
    <p className="aside">
      <Link to="/console/sign-in">{signIn.toSignIn}</Link>
    </p>
  )
}
