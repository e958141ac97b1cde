import type { MailConfig } from '../../config/topics/mail.ts'
import type { Mail } from './outbox.ts'

const ANSWER_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 30_000

/** Makes the function that gives a mail to the mail server. The library is loaded for the first mail. */
export function mailTransport({ smtpUrl, from }: MailConfig): (mail: Mail) => Promise<void> {
  return async ({ to, subject, text }) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: ANSWER_TIMEOUT_MS,
      greetingTimeout: ANSWER_TIMEOUT_MS,
      socketTimeout: SILENCE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    try {
      // As an object, so that nothing in the address is read as another recipient.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    } finally {
      transport.close()
    }
  }
}
