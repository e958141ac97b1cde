/** Bytes of text of a passage on average, and most bytes of a text that is one passage. */
export const PASSAGE_BYTES = 800
export const WHOLE_PASSAGE_BYTES = 1_200

/** Bytes of a token on average in English and German texts. */
const BYTES_PER_TOKEN = 4
/** Tokens of the title and the headings that each passage begins with, and of what it shares with the one before. */
const TOKENS_PER_PASSAGE = 30

/** Texts that have no vectors of a model. */
export interface TextsToRead {
  /** Number of entries and products. */
  readonly items: number
  /** Number of passages, estimated by the lengths of the texts. */
  readonly passages: number
  readonly bytes: number
}

/** Cost of vectors for texts, estimated by their lengths. */
export interface MoveCost {
  readonly items: number
  readonly passages: number
  readonly tokens: number
  /** Minutes of work, rounded up. */
  readonly minutes: number
}

/** Returns the cost of reading texts. @param tokensPerSecond speed of the model */
export function costOf(kinds: readonly TextsToRead[], tokensPerSecond: number): MoveCost {
  const sum = (field: keyof TextsToRead): number => kinds.reduce((total, kind) => total + kind[field], 0)
  const passages = sum('passages')
  const tokens = Math.ceil(sum('bytes') / BYTES_PER_TOKEN) + passages * TOKENS_PER_PASSAGE
  return { items: sum('items'), passages, tokens, minutes: Math.ceil(tokens / tokensPerSecond / 60) }
}
