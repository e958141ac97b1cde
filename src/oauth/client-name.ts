import { OAuthRefusal } from './refusal.ts'

/** Controls, line breaks, and what is not seen or turns the direction of writing: with these a name can pose as another. */
const DECEIVING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const DECEIVING_ALL = new RegExp(DECEIVING, 'gu')

/** @throws OAuthRefusal when a person would not see all there is to a name */
export function demandPlainName(name: string): void {
  if (!DECEIVING.test(name)) return
  const description = 'client_name: must hold no control characters, line breaks or invisible characters'
  throw new OAuthRefusal(400, 'invalid_client_metadata', description)
}

/** A name without what a person would not see of it. */
export function plainName(name: string): string {
  return name.replace(DECEIVING_ALL, '')
}
