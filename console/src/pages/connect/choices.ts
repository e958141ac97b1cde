/** Assistants that people use most. */
export const ASSISTANTS = ['claude', 'claude-code', 'chatgpt', 'cursor', 'vscode'] as const

/** Kinds of programs that connect. */
export type Kind = 'assistants' | 'programs'
export type Assistant = (typeof ASSISTANTS)[number]

/** Choices in the address of the page. */
export interface ConnectChoices {
  /** Chosen tab; absent for assistants. */
  readonly kind?: 'programs'
  /** Chosen assistant; absent for Claude. */
  readonly assistant?: Assistant
}

/** Reads the choices of an address, and leaves out values that make no sense. */
export function readChoices(search: Record<string, unknown>): ConnectChoices {
  const assistant = ASSISTANTS.find((each) => each === search.assistant && each !== 'claude')
  return {
    ...(search.kind === 'programs' ? { kind: 'programs' } : {}),
    ...(assistant === undefined ? {} : { assistant }),
  }
}
