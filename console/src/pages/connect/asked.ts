/** Assistants that people use most. */
export const ASSISTANTS = ['claude', 'claude-code', 'chatgpt', 'cursor', 'vscode'] as const

/** What connects. */
export type Kind = 'assistants' | 'programs'
export type Assistant = (typeof ASSISTANTS)[number]

/** What the address of the page says. */
export interface Asked {
  /** Absent: assistants. */
  readonly kind?: 'programs'
  /** Absent: Claude. */
  readonly assistant?: Assistant
}

/** Reads an address; what makes no sense in it is left out. */
export function readAsked(search: Record<string, unknown>): Asked {
  const assistant = ASSISTANTS.find((each) => each === search.assistant && each !== 'claude')
  return {
    ...(search.kind === 'programs' ? { kind: 'programs' } : {}),
    ...(assistant === undefined ? {} : { assistant }),
  }
}
