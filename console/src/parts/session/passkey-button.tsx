import { ApiFault } from '../../api/client.ts'
import { NoPasskey } from '../../api/factors.ts'
import type { Credential } from '../../api/session.ts'
import { usePasskeySignIn } from '../../api/sign-in.ts'
import { useWords } from '../../i18n/language.tsx'
import { faultText } from '../feedback/fault-text.ts'
import { Notice } from '../feedback/notice.tsx'

/** Signs in with a passkey alone, without address and password. */
export function PasskeyButton({ onDone }: { readonly onDone: (credential: Credential) => void }) {
  const words = useWords()
  const { step } = words.security
  const signIn = usePasskeySignIn()
  const wrong =
    signIn.error instanceof NoPasskey
      ? step.cancelled
      : signIn.error instanceof ApiFault && signIn.error.status === 401
        ? step.unknownPasskey
        : faultText(signIn.error, words)
  return (
    <>
      {signIn.error === null ? null : (
        <Notice tone="danger" role="alert">
          {wrong}
        </Notice>
      )}
      <button
        type="button"
        className="button button-block"
        disabled={signIn.isPending}
        onClick={() => signIn.mutate(undefined, { onSuccess: onDone })}
      >
        {step.signInWithPasskey}
      </button>
    </>
  )
}
