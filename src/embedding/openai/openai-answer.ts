import { EmbeddingNonsense } from '../embedder.ts'
import { normalizeInPlace } from '../vectors.ts'

/**
 * Says that an answer is no JSON of the right shape. Such an answer comes more likely from a proxy than from the model.
 */
export class UnreadableAnswer extends Error {
  override readonly name = 'UnreadableAnswer'
}

/**
 * Reads the body of an OpenAI embeddings answer: `data` has one item per text with its `index` and its `embedding`, an
 * array of numbers or base64 of little-endian float32.
 *
 * @param dimensions components that every vector must have; with 0 the first vector decides
 * @returns normalised vectors in the order of the texts
 * @throws UnreadableAnswer when the answer is not JSON of this shape
 * @throws EmbeddingNonsense when vectors are missing, doubled, of a wrong size or not finite
 */
export function readAnswer(body: string, count: number, dimensions: number): Float32Array[] {
  const items = parseItems(body)
  if (items.length !== count) throw nonsense(`${items.length} vectors for ${count} texts`)
  const vectors: Float32Array[] = Array.from({ length: count })
  let expected = dimensions
  for (const [position, item] of items.entries()) {
    // Some servers omit the index and answer in order.
    const index = item.index === undefined ? position : item.index
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count)
      throw nonsense('a foreign index')
    if (vectors[index as number] !== undefined) throw nonsense('two vectors for one text')
    const vector = readVector(item.embedding)
    if (expected === 0) expected = vector.length
    if (vector.length !== expected) throw nonsense(`a vector of ${vector.length} dimensions instead of ${expected}`)
    vectors[index as number] = normalizeInPlace(vector)
  }
  return vectors
}

/** Characters at either end of an answer that are searched for `usage`, which stands before or after the vectors. */
const USAGE_CHARACTERS = 1_000

/**
 * Returns the number of tokens from the `usage` of an answer; null without it. The answer is not parsed a second time.
 */
export function tokensIn(body: string): number | null {
  const ends =
    body.length <= 2 * USAGE_CHARACTERS ? [body] : [body.slice(-USAGE_CHARACTERS), body.slice(0, USAGE_CHARACTERS)]
  for (const end of ends) {
    const count = /"(?:prompt|total)_tokens"\s*:\s*(\d{1,12})\b/.exec(end)?.[1]
    if (count !== undefined) return Number(count)
  }
  return null
}

interface AnswerItem {
  readonly index?: unknown
  readonly embedding?: unknown
}

function parseItems(body: string): AnswerItem[] {
  let answer: unknown
  try {
    answer = JSON.parse(body)
  } catch {
    // The parser's message quotes the body, which may contain the text.
    throw new UnreadableAnswer('the answer is not JSON')
  }
  const data: unknown = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(data) || !data.every((item) => typeof item === 'object' && item !== null)) {
    throw new UnreadableAnswer('the answer holds no list of vectors')
  }
  return data as AnswerItem[]
}

function readVector(embedding: unknown): Float32Array {
  const vector = typeof embedding === 'string' ? fromBase64(embedding) : fromNumbers(embedding)
  if (vector.length === 0) throw nonsense('an empty vector')
  if (!hasFiniteComponents(vector)) throw nonsense('a number that is not finite')
  return vector
}

/** Tells whether all components are finite. It is a loop, because `every` creates an object for each number. */
function hasFiniteComponents(vector: Float32Array): boolean {
  for (let i = 0; i < vector.length; i++) if (!Number.isFinite(vector[i])) return false
  return true
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.byteLength(text, 'base64')
  if (bytes % 4 !== 0) throw nonsense('base64 that is no float32')
  const vector = new Float32Array(bytes / 4)
  // Node skips invalid characters silently; then the number of bytes is too small.
  if (Buffer.from(vector.buffer).write(text, 'base64') !== bytes) throw nonsense('malformed base64')
  return vector
}

function fromNumbers(embedding: unknown): Float32Array {
  const isNumbers = Array.isArray(embedding) && embedding.every((value) => typeof value === 'number')
  if (!isNumbers) throw nonsense('something that is no vector')
  return Float32Array.from(embedding)
}

function nonsense(answer: string): EmbeddingNonsense {
  return new EmbeddingNonsense(`the embedding provider answered ${answer}`)
}
