import { randomKey } from '../api-keys/api-key.ts'

const PREFIX = 'op_'
const FORM = /^op_[0-9A-Za-z]{40}$/

/** Generates an operator credential: `op_` and 40 random base62 characters, 238 bits. */
export function generateOperatorKey(): string {
  return randomKey(PREFIX)
}

/** Tells whether a text has the form of an operator credential, which opens no route of a tenant. */
export function isOperatorKey(value: string): boolean {
  return FORM.test(value)
}
