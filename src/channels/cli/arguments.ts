import { parseArgs } from 'node:util'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'
import { UsageError } from './failure.ts'

/** An option of a command. `value` is the name of its value in the help; a flag has no value. */
export interface Option {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly value?: string
  readonly help: string
  readonly multiple?: boolean
}

export type Options = Readonly<Record<string, Option>>

export interface CommandLine<T extends Options = Options> {
  /** The words after `knowledge`, such as `import PATH…`. */
  readonly usage: string
  /** Paragraphs of the help. */
  readonly about: string
  readonly options: T
}

/** The option of every command that works on one tenant. */
export const TENANT_OPTION = {
  tenant: { type: 'string', value: 'ID', help: 'id of the tenant (default: default)' },
} as const satisfies Record<string, Option>

const HELP = { type: 'boolean', short: 'h', help: 'show this help' } as const

/**
 * Reads the arguments of a command.
 * @returns null after printing the help that the call asks for
 * @throws UsageError for an unknown option, and when npm took an option for itself
 */
export function readArguments<const T extends Options>(
  args: readonly string[],
  line: CommandLine<T>,
  { env, stdout }: Pick<CommandCall, 'env' | 'stdout'>,
) {
  const ofNpm = optionsOfNpm(line.options, env)
  if (ofNpm.length > 0) {
    const call = calledAs(`${wordsOf(line.usage)} …`, env)
    throw new UsageError(`npm kept ${ofNpm.join(' and ')} for itself, so the command did nothing; write: ${call}`)
  }
  try {
    const parsed = parseArgs({
      args: [...args],
      options: { ...line.options, help: HELP },
      allowPositionals: true,
      strict: true,
    })
    if ((parsed.values as { help?: boolean }).help !== true) return parsed
    stdout.write(helpOf(line))
    return null
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) throw error
    const reason = (error as Error).message.split(/\. (?=To specify)|\n/)[0].replace(/\.$/, '')
    throw new UsageError(`${reason}. See: ${calledAs(`${wordsOf(line.usage)} --help`)}`)
  }
}

/**
 * Returns the options of the command that npm took for itself, because they were before `--`, or there was no `--`. npm
 * passes on only the other words, and puts the options into the environment. Without its `--dry-run`, an import would
 * write.
 */
function optionsOfNpm(options: Options, env: CommandCall['env']): string[] {
  if (env.npm_lifecycle_event !== 'knowledge') return []
  return Object.entries(options).flatMap(([name, { short }]) => {
    if (env[`npm_config_${name.replaceAll('-', '_')}`]) return [`--${name}`]
    return short !== undefined && env[`npm_config_${short}`] ? [`-${short}`] : []
  })
}

/** Returns the words of the command, such as `key issue`. */
function wordsOf(usage: string): string {
  return /^[a-z]+(?: [a-z]+)*/.exec(usage)![0]
}

/** @throws UsageError when there is a word that the command does not take */
export function refuseMore(words: readonly string[], command: string): void {
  if (words.length > 0) throw new UsageError(`Unexpected argument "${words[0]}". See: ${calledAs(`${command} --help`)}`)
}

/** Returns the text of `--help`. */
export function helpOf({ usage, about, options }: CommandLine): string {
  const all: Options = { ...options, help: HELP }
  const rows = Object.entries(all).map(([name, option]) => {
    const short = option.short === undefined ? '    ' : `-${option.short}, `
    const value = option.value === undefined ? '' : ` ${option.value}`
    return [`${short}--${name}${value}`, option.help]
  })
  const width = Math.max(...rows.map(([left]) => left.length))
  const lines = rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`)
  return `Usage: ${calledAs(usage)}\n\n${about}\n\nOptions:\n${lines.join('\n')}\n`
}
