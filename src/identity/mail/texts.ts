import type { PageLanguage } from '../users/contract.ts'
import type { Mail } from './outbox.ts'

/** Facts in a mail with a link. */
export interface LinkFacts {
  readonly tenantName: string
  readonly link: string
  /** When the link ends, in milliseconds since 1970. */
  readonly expiresAt: number
}

type Texts = Readonly<Record<PageLanguage, (facts: LinkFacts, until: string) => Omit<Mail, 'to'>>>

const INVITATION: Texts = {
  de: ({ tenantName, link }, until) => ({
    subject: `Einladung zu ${tenantName}`,
    text: `Guten Tag,

Sie sind eingeladen, mit dem Wissen von ${tenantName} zu arbeiten. Wählen Sie unter diesem Link einen Namen und ein Passwort:

${link}

Der Link gilt einmal, und zwar bis ${until}. Wenn Sie keine Einladung erwarten, können Sie diese Nachricht löschen.
`,
  }),
  en: ({ tenantName, link }, until) => ({
    subject: `Invitation to ${tenantName}`,
    text: `Hello,

You are invited to work with the knowledge of ${tenantName}. Choose a name and a password at this link:

${link}

The link works once, until ${until}. If you expect no invitation, you can delete this message.
`,
  }),
}

const NEW_PASSWORD: Texts = {
  de: ({ tenantName, link }, until) => ({
    subject: `Neues Passwort für ${tenantName}`,
    text: `Guten Tag,

unter diesem Link wählen Sie ein neues Passwort für ${tenantName}:

${link}

Der Link gilt einmal, und zwar bis ${until}. Bis Sie ihn benutzen, bleibt Ihr Passwort, wie es ist. Wenn Sie kein neues Passwort brauchen, können Sie diese Nachricht löschen.
`,
  }),
  en: ({ tenantName, link }, until) => ({
    subject: `New password for ${tenantName}`,
    text: `Hello,

Choose a new password for ${tenantName} at this link:

${link}

The link works once, until ${until}. Your password stays as it is until you use it. If you need no new password, you can delete this message.
`,
  }),
}

/** Writes the mail of an invitation. @param language tag of the tenant's language; the mail is German or English */
export function invitationMail(to: string, language: string, facts: LinkFacts): Mail {
  return mailIn(INVITATION, to, language, facts)
}

/** Writes the mail with a link for a new password. @param language as for `invitationMail` */
export function newPasswordMail(to: string, language: string, facts: LinkFacts): Mail {
  return mailIn(NEW_PASSWORD, to, language, facts)
}

function mailIn(texts: Texts, to: string, tag: string, facts: LinkFacts): Mail {
  const language: PageLanguage = tag.toLowerCase().startsWith('de') ? 'de' : 'en'
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  const until = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', format).format(facts.expiresAt)
  // A name with a line break must not end the subject's line.
  const tenantName = facts.tenantName.replaceAll(/\p{Cc}+/gu, ' ')
  return { to, ...texts[language]({ ...facts, tenantName }, `${until} UTC`) }
}
