import type { Item } from '../budget.ts'
import { quoted } from '../quotes.ts'

/** Says how many items did not fit, and how to get them. */
export function tooMuch(count: number, what: string, how: string): string {
  return `${count} ${what} did not fit: call again with ${how}, or with a larger budget_characters.`
}

/** Returns the items as a quoted, numbered list; null for none. The first number is `offset` + 1. */
export function numbered(items: readonly Item[], offset: number): string | null {
  return items.length === 0 ? null : quoted(items.map(({ text }, i) => `${offset + i + 1}. ${text}`).join('\n'))
}

/** Joins the parts that are not null, one per line. */
export function lines(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n')
}
