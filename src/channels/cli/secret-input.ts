import type { CommandCall } from './command-call.ts'
import { CommandFailed } from './failure.ts'

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const CTRL_U = '\u0015'
const BACKSPACES = new Set(['\b', '\u007f'])
/** Sequences that arrow keys and other special keys send. */
// oxlint-disable-next-line no-control-regex
const KEY_SEQUENCE = /\u001b(?:\[[\d;]*[A-Za-z~]|O[A-Z])?/g
/** Characters of an input: far more than a password has. A longer input is a mistake, such as a file. */
const LENGTH_MAX = 10_000

/**
 * Reads one secret line: from a terminal after a prompt and without echo, else from a pipe.
 * @returns null when ctrl-C was pressed, or the input was empty
 */
export async function readSecret(
  prompt: string,
  { stdin: input, stderr: output }: Pick<CommandCall, 'stdin' | 'stderr'>,
): Promise<string | null> {
  input.setEncoding('utf8')
  return input.isTTY ? readFromTerminal(prompt, input, output) : readFromPipe(input)
}

async function readFromPipe(input: CommandCall['stdin']): Promise<string | null> {
  let text = ''
  for await (const part of input) {
    text += part
    if (text.length > LENGTH_MAX) throw new CommandFailed('The input is too long for a password')
  }
  const [line, ...more] = text.split(/\r?\n/)
  if (more.some((other) => other !== '')) throw new CommandFailed('The input has more than one line')
  return line === '' ? null : line
}

function readFromTerminal(
  prompt: string,
  input: CommandCall['stdin'],
  output: CommandCall['stderr'],
): Promise<string | null> {
  output.write(prompt)
  input.setRawMode?.(true)
  return new Promise((resolve) => {
    let line = ''
    const end = (result: string | null) => {
      input.off('data', take)
      input.off('end', onEnd)
      input.setRawMode?.(false)
      input.pause()
      output.write('\n')
      resolve(result)
    }
    const onEnd = () => end(null)
    const take = (typed: string | Buffer) => {
      const characters = Array.from(String(typed).replaceAll(KEY_SEQUENCE, ''))
      for (const [i, character] of characters.entries()) {
        if (character === '\r' || character === '\n') {
          end(line)
          // Pasted lines come in one piece. The next prompt reads the next line.
          const rest = characters.slice(i + 1).join('')
          if (rest !== '') input.unshift(rest, 'utf8')
          return
        }
        if (character === CTRL_C || (character === CTRL_D && line === '')) return end(null)
        if (character === CTRL_U) line = ''
        else if (BACKSPACES.has(character)) line = Array.from(line).slice(0, -1).join('')
        else if (character >= ' ') line += character
      }
    }
    input.on('data', take)
    input.once('end', onEnd)
    // The prompt before has paused the input. A listener does not resume it, and the program would end for want of work.
    input.resume()
  })
}
