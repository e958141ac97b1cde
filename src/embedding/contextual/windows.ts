/**
 * Most tokens that the model reads at once, with those that begin and end a text. It could read 512; a run of them takes
 * 40 MB more, which the runtime keeps, and a query waits for it twice as long. Nearly all passages have fewer anyway.
 */
export const TOKENS_MAX = 256

/**
 * Divides a text that is longer than a run into windows of about the same length. Each window begins and ends like
 * the whole text, so that the model reads it as a text of its own.
 * @param ids ids of the text's tokens, with `<s>`, the prefix and `</s>`
 * @param lead number of tokens with which every text begins: `<s>` and the prefix
 * @returns at least one window, each of at most `TOKENS_MAX` tokens
 */
export function windowsOf(ids: readonly number[], lead: number): (readonly number[])[] {
  if (ids.length <= TOKENS_MAX) return [ids]
  const head = ids.slice(0, lead)
  const body = ids.slice(lead, -1)
  const end = ids.slice(-1)
  const count = Math.ceil(body.length / (TOKENS_MAX - lead - 1))
  const length = Math.ceil(body.length / count)
  return Array.from({ length: count }, (_, i) => [...head, ...body.slice(i * length, (i + 1) * length), ...end])
}
