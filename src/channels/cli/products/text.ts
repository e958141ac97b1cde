import { CommandFailed } from '../failure.ts'

/**
 * Decodes the text of a file chunk by chunk, without its byte order mark.
 * @throws CommandFailed when the file does not have that encoding
 */
export async function* textOf(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new CommandFailed(`The file is not in ${encoding}; set its encoding, such as --encoding windows-1252`)
  }
}
