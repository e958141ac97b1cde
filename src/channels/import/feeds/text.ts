import { UnusableFeed } from './feed-record.ts'

/**
 * Decodes the text of a file chunk by chunk, without its byte order mark.
 * @throws UnusableFeed when the file does not have that encoding
 */
export async function* textOf(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = (chunk?: Buffer): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch {
      throw new UnusableFeed(
        'encoding',
        `The file is not in ${encoding}; set its encoding, such as --encoding windows-1252`,
      )
    }
  }
  for await (const chunk of chunks) yield decode(chunk)
  yield decode()
}
