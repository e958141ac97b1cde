import { ApiFault, TooSlow, Unreachable } from '../../api/client.ts'
import { FileGone } from '../../api/lazy-file.ts'
import type { Words } from '../../i18n/words.ts'

/** Returns an error in words for people. */
export function faultText(error: unknown, { faults }: Words): string {
  if (!(error instanceof ApiFault)) {
    if (!(error instanceof Unreachable || error instanceof FileGone)) return faults.unexpected
    if (!navigator.onLine) return faults.offline
    if (error instanceof TooSlow) return error.isWrite ? faults.slowWrite : faults.slowRead
    return error instanceof FileGone ? faults.fileGone : faults.unreachable
  }
  const reason = error.details.map(({ msg }) => msg).join('; ')
  switch (error.status) {
    case 401:
      return faults.signedOut
    case 403:
      return error.is('proof_needed') ? faults.unproved : faults.forbidden
    case 404:
      return faults.gone
    case 412:
      return faults.changed
    case 429:
      return faults.tooMany(error.retryAfterSeconds ?? 1)
    case 413:
      return faults.tooLarge
    case 503:
      return error.is('outcome_unknown') ? faults.unsure : faults.unavailable
    // 502 and 504 come from a proxy in front of a service that is starting.
    case 502:
    case 504:
      return faults.unavailable
    case 507:
      return faults.full
    case 409:
    case 422:
      return faults.refused(reason)
    default:
      return faults.unexpected
  }
}

/** Returns the tone of an error's text. A change that the person broke off themselves is no fault. */
export const faultTone = (error: unknown): 'danger' | 'plain' =>
  error instanceof ApiFault && error.is('proof_needed') ? 'plain' : 'danger'
