import { randomInt } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 40
const HINT_LENGTH = 7
const FORM = /^(?:ks|pk)_[0-9A-Za-z]{40}$/

/** A new API key: `ks_`, or `pk_` for a publishable one, and 40 random base62 characters, 238 bits. */
export function generateApiKey(isPublishable = false): string {
  return randomKey(isPublishable ? 'pk_' : 'ks_')
}

/** A prefix, by which people and programs recognise a kind of credential, and 40 random base62 characters. */
export function randomKey(prefix: string): string {
  let key = prefix
  for (let i = 0; i < RANDOM_LENGTH; i++) key += ALPHABET[randomInt(ALPHABET.length)]
  return key
}

export function isApiKey(value: string): boolean {
  return FORM.test(value)
}

/** The first characters of a key, by which a person recognises the key in a list. */
export function hintOf(key: string): string {
  return key.slice(0, HINT_LENGTH)
}

export const KEY_NAME_MAX = 200
