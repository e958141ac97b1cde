import type { Purpose } from './reader.ts'

/** What reading needs to know of a model. Structured cloning can copy it. */
export interface ModelForm {
  /** Name of the model in errors. */
  readonly name: string
  /** Path of the file with the graph and the weights. */
  readonly file: string
  /** Path of the folder with the files of the tokenizer. */
  readonly folder: string
  /** What the model expects before each text. */
  readonly prefixes: Readonly<Record<Purpose, string>>
  /** Components of a vector. */
  readonly dimensions: number
  /** How the vectors of tokens become one. */
  readonly pooling: 'mean' | 'cls' | 'last_token'
  /** Most tokens of a run. */
  readonly tokensMax: number
  /** What becomes of a text with more tokens: it is read in windows, whose vectors are averaged, or cut. */
  readonly whenLonger: 'windows' | 'cut'
  /** Pieces that say nothing. A text of nothing else has no vector; without such pieces, a text of white space has none. */
  readonly blanks: readonly string[]
}
