/**
 * Most characters of a text that are read, about ten windows. No passage has as many. It bounds the time of a text, and
 * the memory of the tokenizer, which looks at all ways to cut a word.
 */
const CHARACTERS_MAX = 10_000

/**
 * Most characters once the text is normalised. The tokenizer normalises, by which a character such as ﷺ becomes up to
 * 18; in an ordinary text there are few of them.
 */
const NORMALIZED_MAX = 2 * CHARACTERS_MAX

/**
 * A run of more combining marks than real text has. Unicode reorders such a run in quadratic time, so the marks beyond
 * the first 30, the bound of UAX #15 (stream-safe text format), are removed.
 */
const ENDLESS_MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * The beginning of a word that is longer than a word can be. The tokenizer cuts a word without known pieces in quadratic
 * time. So such a word is read as several.
 */
const ENDLESS_WORD = /(\S{500})(?=\S)/gu

/**
 * Returns a text that costs the tokenizer no more than a long ordinary text does, whatever it is: of ordinary texts the
 * first 10,000 characters, as they are.
 */
export function boundedText(text: string): string {
  const begun = text.slice(0, CHARACTERS_MAX).replace(ENDLESS_MARKS, '$1')
  const normalized = begun.normalize('NFKC')
  const read = normalized.length > NORMALIZED_MAX ? normalized.slice(0, NORMALIZED_MAX) : begun
  return read.replace(ENDLESS_WORD, '$1 ')
}
