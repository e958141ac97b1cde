import { secret, textThat } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'
import type { AllSet } from '../values.ts'

/** Address of the mail server, with its password. */
const smtpUrl = secret(
  textThat(
    'an smtp:// or smtps:// address',
    (raw) => URL.canParse(raw) && ['smtp:', 'smtps:'].includes(new URL(raw).protocol) && new URL(raw).hostname !== '',
  ),
)
const sender = textThat('an e-mail address, or a name with one: Knowledge <knowledge@example.com>', (raw) =>
  /^(?:[^<>@\p{Cc}]* <[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/u.test(raw),
)

export const MAIL = topic({
  title: 'Mail',
  ownPrefixes: [],
  settings: {
    smtpUrl: setting({
      name: 'SMTP_URL',
      kind: smtpUrl,
      defaultWords: '(no mail: links are shown to be copied)',
      meaning: 'The mail server for invitations and new passwords.',
      example: 'smtps://user:password@mail.example.com',
    }),
    from: setting({
      name: 'MAIL_FROM',
      kind: sender,
      meaning: 'The sender of that mail.',
      example: 'Knowledge <knowledge@example.com>',
    }),
  },
})

export type MailConfig = AllSet<ValuesOf<typeof MAIL.settings>>
