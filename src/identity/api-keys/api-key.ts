import { randomInt } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 40
const HINT_LENGTH = 7
const FORM = /^(?:ks|pk)_[0-9A-Za-z]{40}$/

/** Generates an API key: `ks_`, or `pk_` for a publishable one, and 40 random base62 characters, 238 bits. */
export function generateApiKey(isPublishable = false): string {
  return randomKey(isPublishable ? 'pk_' : 'ks_')
}

/**
 * Generates a credential of a prefix and 40 random base62 characters. By the prefix, people and programs recognise the
 * kind of credential.
 */
export function randomKey(prefix: string): string {
  let key = prefix
  for (let i = 0; i < RANDOM_LENGTH; i++) key += ALPHABET[randomInt(ALPHABET.length)]
  return key
}

export function isApiKey(value: string): boolean {
  return FORM.test(value)
}

/** Returns the first characters of a key, by which a person recognises the key in a list. */
export function hintOf(key: string): string {
  return key.slice(0, HINT_LENGTH)
}

export const KEY_NAME_MAX = 200
