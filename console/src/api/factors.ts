import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api } from './client.ts'
import { isSignedOut } from './queries.ts'
import { sessionQuery } from './session.ts'

export type Factors = AnswerOf<'/api/session/factors', 'get'>
export type Passkey = Factors['passkeys'][number]
export type TotpSetup = AnswerOf<'/api/session/factors/totp', 'post'>
export type SecondStep = AnswerOf<'/api/session/second-factor', 'get'>

/** Proof with which a person confirms that they are the one who is signed in: exactly one of these fields, or none. */
export type Proof = {
  readonly password?: string
  readonly code?: string
  readonly recovery_code?: string
  readonly passkey?: Record<string, unknown>
}

/** The browser gave no passkey: the person cancelled, or there is none. */
export class NoPasskey extends Error {
  override readonly name = 'NoPasskey'
  /** Whether the device has a passkey for the person already, so that it makes no second one. */
  readonly isKnown: boolean

  constructor(cause: unknown) {
    super('The browser gave no passkey', { cause })
    this.isKnown = cause instanceof Error && cause.name === 'InvalidStateError'
  }
}

/** Tells whether this browser has passkeys on this address. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn()

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: () => answerOf(api.GET('/api/session/factors')),
})

/** The sign-in of this browser that waits for a second factor; null when none waits. */
export const secondStepQuery = queryOptions({
  queryKey: ['second-step'],
  queryFn: async (): Promise<SecondStep | null> => {
    try {
      return await answerOf(api.GET('/api/session/second-factor'))
    } catch (error) {
      if (isSignedOut(error)) return null
      throw error
    }
  },
})

/** Asks the browser for a passkey by the service's options. @throws NoPasskey */
async function askForPasskey(options: Record<string, unknown>): Promise<Record<string, unknown>> {
  try {
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
    return { ...(await startAuthentication({ optionsJSON })) }
  } catch (error) {
    throw new NoPasskey(error)
  }
}

/** Asks the browser for a passkey of the person whose sign-in waits. @throws NoPasskey */
export async function stepPasskey(): Promise<Record<string, unknown>> {
  const { options } = await answerOf(api.POST('/api/session/second-factor/passkey-options'))
  return askForPasskey(options)
}

/** Signs in with a passkey alone. @throws NoPasskey */
export async function signInWithPasskey() {
  const { options } = await answerOf(api.POST('/api/session/passkey-options'))
  return answerOf(api.POST('/api/session/passkey', { body: { passkey: await askForPasskey(options) } }))
}

/** Asks the browser for a passkey to confirm a change with. @throws NoPasskey */
export async function confirmingPasskey(): Promise<Record<string, unknown>> {
  const { options } = await answerOf(api.POST('/api/session/factors/confirm-options'))
  return askForPasskey(options)
}

export const beginTotp = (body: Proof): Promise<TotpSetup> => answerOf(api.POST('/api/session/factors/totp', { body }))

export const removeTotp = (body: Proof) => answerOf(api.POST('/api/session/factors/totp/remove', { body }))

export const renewCodes = (body: Proof) => answerOf(api.POST('/api/session/factors/recovery-codes', { body }))

/** Returns the options with which the browser makes a passkey. */
export const beginPasskey = (body: Proof) => answerOf(api.POST('/api/session/factors/passkey-options', { body }))

export const removePasskey = (id: string, body: Proof) =>
  answerOf(
    api.POST('/api/session/factors/passkeys/{passkey_id}/remove', { params: { path: { passkey_id: id } }, body }),
  )

/** Confirms the authenticator app. @returns recovery codes when it is the first factor */
export function useConfirmTotp() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (code: string) => answerOf(api.POST('/api/session/factors/totp/confirm', { body: { code } })),
    // The codes are shown once; nothing may keep them.
    gcTime: 0,
    onSuccess: refresh,
  })
}

/** Makes a passkey in the browser and registers it. */
export function useAddPasskey() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ name, options }: { readonly name: string; readonly options: Record<string, unknown> }) => {
      const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
      const passkey = await startRegistration({ optionsJSON }).catch((error: unknown) => {
        throw new NoPasskey(error)
      })
      return answerOf(api.POST('/api/session/factors/passkeys', { body: { name, passkey: { ...passkey } } }))
    },
    gcTime: 0,
    onSuccess: refresh,
  })
}

export function useRenamePasskey() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: ({ id, name }: { readonly id: string; readonly name: string }) =>
      answerOf(
        api.PATCH('/api/session/factors/passkeys/{passkey_id}', {
          params: { path: { passkey_id: id } },
          body: { name },
        }),
      ),
    onSuccess: refresh,
  })
}

/**
 * Returns a function that reads again all that a change of the factors may change: the factors, and the permissions of
 * the session.
 */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: factorsQuery.queryKey }),
      queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    ])
  }
}
