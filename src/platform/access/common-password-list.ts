import { readFileSync } from 'node:fs'
import { passwordsOn } from './common-password.ts'

let isOnList: ((raw: string) => boolean) | null = null

/**
 * Tells whether a password is one of the most used ones, which attackers try first (NIST SP 800-63B, 3.1.1.2; OWASP
 * ASVS 4.0.3, 2.1.7). `common-passwords.txt` has those of the 430,000 most used that are long enough to be chosen here,
 * so all such ones among the 100,000 most used; `scripts/common-passwords.ts` writes it.
 */
export function isCommonPassword(raw: string): boolean {
  isOnList ??= passwordsOn(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8'))
  return isOnList(raw)
}
