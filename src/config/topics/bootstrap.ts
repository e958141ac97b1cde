import { isCommonPassword } from '../../platform/access/common-password-list.ts'
import { isPasswordLength, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../platform/access/password-length.ts'
import { emailAddress, secret, textThat } from '../kinds.ts'
import { setting, topic, type ValuesOf } from '../setting.ts'

const apiKey = secret(textThat('ks_ followed by 40 letters or digits', (raw) => /^ks_[0-9A-Za-z]{40}$/.test(raw)))
const password = secret(
  textThat(
    `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, and be none of the most used passwords`,
    (raw) => isPasswordLength(raw) && !isCommonPassword(raw),
    'have',
  ),
)

export const BOOTSTRAP = topic({
  title: 'First start',
  ownPrefixes: ['BOOTSTRAP_'],
  settings: {
    apiKey: setting({
      name: 'BOOTSTRAP_API_KEY',
      kind: apiKey,
      defaultWords: '(generated)',
      meaning: 'The first API key.',
    }),
    adminEmail: setting({
      name: 'BOOTSTRAP_ADMIN_EMAIL',
      kind: emailAddress,
      default: 'admin@localhost',
      meaning: 'The e-mail address of the first user.',
      example: 'admin@example.com',
    }),
    adminPassword: setting({
      name: 'BOOTSTRAP_ADMIN_PASSWORD',
      kind: password,
      defaultWords: '(generated)',
      meaning: 'The password of the first user.',
    }),
  },
})

export type BootstrapConfig = ValuesOf<typeof BOOTSTRAP.settings>
