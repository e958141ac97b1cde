import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { readConfig } from '../../../../config.ts'
import { readArguments, refuseMore } from '../../arguments.ts'
import type { CommandCall } from '../../command-call.ts'
import { CommandFailed, UsageError } from '../../failure.ts'
import { interruptible, INTERRUPTED } from '../../interrupt.ts'
import { askOverHttp } from './ask.ts'
import { diagnose } from './diagnose.ts'
import { DOCTOR_OAUTH } from './line.ts'
import { PROFILES } from './profiles.ts'
import { exitCodeOf, reportOf } from './report.ts'

/** Tries what assistants do to connect, and prints how far each gets. @returns the exit code */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, DOCTOR_OAUTH, call)
  if (words === null) return 0
  refuseMore(words.positionals, 'doctor oauth')
  const { url, key: keyFile } = words.values
  const origin = url === undefined ? new URL(readConfig(call.env).publicUrl).origin : originOf(url)
  const key = keyFile === undefined ? keyIn(call.env.KNOWLEDGE_API_KEY ?? '') : await readKey(keyFile, call)
  return interruptible(async (signal) => {
    const diagnosis = await diagnose({ ask: askOverHttp, origin, profiles: PROFILES, key, signal })
    call.stdout.write(reportOf(diagnosis))
    return signal.aborted ? INTERRUPTED : exitCodeOf(diagnosis)
  })
}

/** Returns the origin of an address; of the MCP endpoint too, since people enter it in clients. @throws UsageError */
function originOf(raw: string): string {
  const url = URL.canParse(raw) ? new URL(raw) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--url must be an http or https address')
  if (!/^\/(?:mcp\/?)?$/.test(url.pathname) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new UsageError(
      '--url must have no path: the service runs at the root of its host, and its MCP endpoint at /mcp',
    )
  }
  return url.origin
}

/** Reads the API key in a file, or on standard input for `-`. @throws CommandFailed, UsageError */
async function readKey(file: string, call: CommandCall): Promise<string> {
  let content: string
  try {
    content = file === '-' ? await text(call.stdin) : readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandFailed(`The key cannot be read (${(error as { code?: string }).code}): check the file of --key`)
  }
  const key = keyIn(content)
  if (key === null) throw new UsageError('--key names an empty file: it must contain an API key')
  return key
}

/** @returns null without a key @throws UsageError for a malformed one, without the text, which may be a secret */
function keyIn(text: string): string | null {
  const key = text.trim()
  if (key === '') return null
  if (!/^ks_[0-9A-Za-z]{40}$/.test(key))
    throw new UsageError('The API key must be ks_ followed by 40 letters or digits')
  return key
}
