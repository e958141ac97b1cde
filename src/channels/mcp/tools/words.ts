import type { Item } from '../budget.ts'

/** Says what was left out for want of room. */
export function tooMuch(count: number, what: string, how: string): string {
  return `${count} ${what} did not fit: call again with ${how}, or with a larger budget_characters.`
}

/** The items as a list, numbered from where the page begins. */
export function numbered(items: readonly Item[], offset: number): string[] {
  return items.map(({ text }, i) => `${offset + i + 1}. ${text}`)
}

/** The parts that there are, a line each. */
export function lines(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n')
}
