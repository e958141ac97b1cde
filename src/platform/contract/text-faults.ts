import type { FaultDetail } from '../faults.ts'
import { FAULTS_MAX, shorten } from './check-faults.ts'

const MSG = 'Input should be a valid string without U+0000 or unpaired surrogates'

/** Tells whether every database and every UTF-8 decoder accepts the text. */
export function isSoundText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/**
 * Finds unsound text within `value`. The fault of an unsound key has the location of its object.
 * @param faults list that gets the faults
 */
export function textFaults(value: unknown, prefix: readonly string[], faults: FaultDetail[] = []): FaultDetail[] {
  if (faults.length >= FAULTS_MAX) return faults
  if (typeof value === 'string') {
    if (!isSoundText(value)) faults.push({ loc: prefix, msg: MSG, type: 'string_unicode' })
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) textFaults(value[i], descend(value[i], prefix, i), faults)
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) {
      if (isSoundText(key)) textFaults(member, descend(member, prefix, key), faults)
      else faults.push({ loc: prefix, msg: MSG, type: 'string_unicode' })
    }
  }
  return faults
}

/** Returns the location of a member. Builds the longer location only for a value that can have a fault. */
function descend(member: unknown, prefix: readonly string[], key: string | number): readonly string[] {
  if (typeof member === 'string' ? isSoundText(member) : member === null || typeof member !== 'object') return prefix
  return [...prefix, shorten(String(key))]
}
