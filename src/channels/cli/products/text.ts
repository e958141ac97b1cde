import { CommandFailed } from '../failure.ts'

/**
 * Decodes a file's text as it comes in, without its byte order mark.
 * @throws CommandFailed when it is not of that encoding
 */
export async function* textOf(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new CommandFailed(`The file is not ${encoding}; name its encoding, such as --encoding windows-1252`)
  }
}
