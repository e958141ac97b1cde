import {
  Contract,
  DateTime,
  FreeForm,
  Int,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../../platform/contract/schema.ts'

/** Most characters of a code. A code has far fewer; a longer text would only cost work before it is refused. */
const CODE_TEXT_MAX = 100
/** Most characters of a password, as at sign-in: a longer text is no password. */
const PASSWORD_TEXT_MAX = 1_000
const PASSKEY_NAME_MAX = 100

const SIGNED = { id: 'q2H1b0n3', rawId: 'q2H1b0n3', type: 'public-key', clientExtensionResults: {}, response: {} }

const proofFields = {
  code: Type.Optional(
    Text({
      maxLength: CODE_TEXT_MAX,
      description: 'Six digits of the authenticator app; counts once',
      examples: ['492039'],
    }),
  ),
  recovery_code: Type.Optional(
    Text({ maxLength: CODE_TEXT_MAX, description: 'One of the recovery codes; it is used up' }),
  ),
  passkey: Type.Optional(
    FreeForm({
      description: 'What the browser’s `navigator.credentials.get()` answered, as JSON (`toJSON()`)',
      examples: [SIGNED],
    }),
  ),
}

export const FactorProof = Contract('FactorProof', proofFields, { description: 'Exactly one of its fields' })
export type FactorProof = Static<typeof FactorProof>

export const Confirmation = Contract(
  'Confirmation',
  {
    password: Type.Optional(Text({ maxLength: PASSWORD_TEXT_MAX, description: 'The person’s own password' })),
    ...proofFields,
  },
  {
    description:
      'At most one of its fields, to confirm who acts. Without any the answer may be 403 of type `proof_needed`',
  },
)
export type Confirmation = Static<typeof Confirmation>

export const Confirmed = Contract('Confirmed', { confirmation: Type.Optional(Confirmation) })
export type Confirmed = Static<typeof Confirmed>

export const SecondStep = Contract('SecondStep', {
  methods: ListOf(OneOf(['code', 'passkey', 'recovery_code']), { description: 'What the person has to prove it with' }),
  expires_at: DateTime({ description: 'Until then; afterwards the sign-in begins again' }),
})
export type SecondStep = Static<typeof SecondStep>

export const PasskeySignIn = Contract('PasskeySignIn', {
  passkey: FreeForm({
    description: 'What the browser’s `navigator.credentials.get()` answered, as JSON (`toJSON()`)',
    examples: [SIGNED],
  }),
})

export const PasskeyOptions = Contract('PasskeyOptions', {
  options: FreeForm({
    description:
      'For `PublicKeyCredential.parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()`. The challenge is ' +
      'answered once, within five minutes, by the same browser',
    examples: [{ challenge: 'Zm9yIG9uZSBhbnN3ZXI', rpId: 'knowledge.example', userVerification: 'preferred' }],
  }),
})

export const TotpSetup = Contract('TotpSetup', {
  secret: Type.String({
    description: 'In base32, to type into an app',
    examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  }),
  uri: Type.String({
    description: 'The same as an `otpauth:` address, to show as a QR code',
    examples: ['otpauth://totp/knowledge.example:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  }),
  expires_at: DateTime({ description: 'Until then a code of the app confirms it' }),
})
export type TotpSetup = Static<typeof TotpSetup>

export const TotpConfirmation = Contract('TotpConfirmation', {
  code: Text({ maxLength: CODE_TEXT_MAX, description: 'Six digits of the new app', examples: ['492039'] }),
})

const recoveryCodes = (description: string) =>
  ListOf(Type.String({ examples: ['xh3kd-9mwqp-2zt7r-vb4ne'] }), { description })

export const RecoveryCodes = Contract('RecoveryCodes', {
  recovery_codes: recoveryCodes('Shown only this once. Earlier ones no longer work'),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>

const AFTER_FIRST = 'Ten codes, shown only this once, when it is the first factor; else none'

export const FactorAdded = Contract('FactorAdded', { recovery_codes: recoveryCodes(AFTER_FIRST) })
export type FactorAdded = Static<typeof FactorAdded>

const passkeyName = () =>
  Text({ maxLength: PASSKEY_NAME_MAX, description: 'To tell it from others', examples: ['Phone'] })

export const PasskeyCreate = Contract('PasskeyCreate', {
  name: passkeyName(),
  passkey: FreeForm({
    description: 'What the browser’s `navigator.credentials.create()` answered, as JSON (`toJSON()`)',
    examples: [SIGNED],
  }),
})
export type PasskeyCreate = Static<typeof PasskeyCreate>

export const PasskeyChange = Contract('PasskeyChange', { name: passkeyName() })

export const Passkey = Contract('Passkey', {
  id: Uuid(),
  name: Type.String({ examples: ['Phone'] }),
  created_at: DateTime(),
  last_used_at: Nullable(DateTime()),
})
export type Passkey = Static<typeof Passkey>

export const PasskeyAdded = Contract('PasskeyAdded', { passkey: Passkey, recovery_codes: recoveryCodes(AFTER_FIRST) })
export type PasskeyAdded = Static<typeof PasskeyAdded>

export const Factors = Contract('Factors', {
  totp: Nullable(Type.Object({ confirmed_at: DateTime() }), { description: 'The authenticator app; null without one' }),
  passkeys: ListOf(Passkey, { description: 'Oldest first' }),
  recovery_codes_left: Int({ minimum: 0, description: 'How many recovery codes are not used yet' }),
  has_password: Type.Boolean({ description: 'Whether the person can confirm with a password' }),
  required: Type.Boolean({ description: 'Whether the tenant requires a second factor of this person' }),
})
export type Factors = Static<typeof Factors>
