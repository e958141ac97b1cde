import type { Interaction } from '../../api/interaction.ts'
import { nameOf } from '../../parts/text/person.tsx'
import { type ConsentWords, useConsentWords } from './words.ts'

/** Shows which application asks, where the answer goes, and which account answers. */
export function About({ details }: { readonly details: Interaction }) {
  const consent = useConsentWords()
  const { client, user, tenant, resource } = details
  const facts: readonly (readonly [string, string, string?])[] = [
    [consent.who, client.client_name, nameSource(client, consent)],
    [consent.returns, consent.returnsTo[client.returns_to.kind](client.returns_to.name)],
    ...(user === null
      ? []
      : [[consent.account, nameOf(user), user.email === nameOf(user) ? undefined : user.email] as const]),
    ...(tenant === null ? [] : [[consent.organisation, tenant.name] as const]),
    [consent.access, resource],
  ]
  return (
    <dl className="facts">
      {facts.map(([head, fact, more]) => (
        <div key={head}>
          <dt>{head}</dt>
          <dd className="wrap">
            {fact}
            {more === undefined ? null : <span className="second">{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Returns in words where the application's name comes from. */
function nameSource({ registration, document_host }: Interaction['client'], consent: ConsentWords): string {
  if (registration === 'document') return consent.saysDocument(document_host ?? '')
  return registration === 'key' ? consent.saysKey : consent.saysOpen
}
