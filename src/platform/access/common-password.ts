import { normalPassword } from './password-length.ts'

/**
 * Returns the function that tells whether a password is on a list, in any case.
 * @param list passwords as `commonForm` returns them, one a line
 */
export function passwordsOn(list: string): (raw: string) => boolean {
  const common = new Set(list.trimEnd().split('\n'))
  return (raw) => common.has(commonForm(raw))
}

/** Returns the form in which passwords are compared with the list. */
export function commonForm(raw: string): string {
  return normalPassword(raw).toLowerCase()
}
