import { randomInt } from 'node:crypto'

/** Without what is easily taken for something else when it is read out or copied by hand. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** A password for somebody to begin with: 20 random characters in groups, 99 bits. */
export function generatePassword(): string {
  const letter = () => LETTERS[randomInt(LETTERS.length)]
  const group = () => Array.from({ length: GROUP_LENGTH }, letter).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}
