import { NAME_MAX } from '../contract.ts'
import { OAuthRefusal } from '../protocol/refusal.ts'

/**
 * Characters that let a name pose as another: control characters, line breaks, invisible characters and those that
 * change the writing direction. U+2800, U+FFFC, U+16FE4 and U+1D159 are named because fonts draw them as nothing, and
 * Unicode has no property for that. The variation selectors U+FE0E and U+FE0F are allowed after an emoji.
 */
const DECEIVING =
  /[[\p{C}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFFC}\u{16FE4}\u{1D159}]--[\u{FE0E}\u{FE0F}]]|(?<!\p{Extended_Pictographic})[\u{FE0E}\u{FE0F}]/v
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/v

/** Returns a message, with the field's name, why a client name could deceive a person; null for a good name. */
export function clientNameFault(name: string): string | null {
  if (name.length > NAME_MAX) return `client_name: must have at most ${NAME_MAX} characters`
  if (DECEIVING.test(name)) {
    return (
      'client_name: must hold no control characters, line breaks, invisible characters or characters that turn the ' +
      'direction of writing'
    )
  }
  return VISIBLE.test(name) ? null : 'client_name: must hold a letter, a digit or a sign that can be seen'
}

/** Refuses a client name that could deceive a person. @throws OAuthRefusal */
export function demandPlainName(name: string): void {
  const fault = clientNameFault(name)
  if (fault !== null) throw new OAuthRefusal(400, 'invalid_client_metadata', fault)
}
