import { breakable } from './breakable.tsx'

interface PersonFacts {
  readonly name: string | null
  readonly email: string
}

/** Shows a person's name, with the email address below. */
export function Person({ person, none }: { readonly person: PersonFacts | null; readonly none: string }) {
  if (person === null) return <span className="quiet">{none}</span>
  const { name, email } = person
  return (
    <>
      <span className="wrap">{breakable(nameOf(person))}</span>
      {name === null || name === '' || name === email ? null : <span className="second wrap">{breakable(email)}</span>}
    </>
  )
}

export const nameOf = ({ name, email }: PersonFacts): string => (name === null || name === '' ? email : name)
