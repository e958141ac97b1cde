import { EmbeddingUnavailable } from '../embedder.ts'
import type { TextReader } from './reader.ts'

const ABSENCE = 'this part of the program has no reader'

/** The reader of an embedder pool that reads nothing, such as one that only asks which model is configured. */
export const NO_READER: TextReader = {
  absence: ABSENCE,
  trouble: ABSENCE,
  read: () => Promise.reject(new EmbeddingUnavailable(ABSENCE)),
  close: () => Promise.resolve(),
}
