import { parseArgs } from 'node:util'
import { UsageError } from './failure.ts'

/** An option of a command. `value` names what it takes in the help; flags take nothing. */
export interface Option {
  readonly type: 'string' | 'boolean'
  readonly short?: string
  readonly value?: string
  readonly help: string
  readonly multiple?: boolean
}

export interface CommandLine<T extends Readonly<Record<string, Option>>> {
  /** What follows `knowledge`, such as `import PATH…`. */
  readonly usage: string
  /** Paragraphs of the help. */
  readonly about: string
  readonly options: T
}

/** The option every command that works on one tenant has. */
export const TENANT_OPTION = {
  tenant: { type: 'string', value: 'ID', help: 'tenant it is about (default: default)' },
} as const satisfies Record<string, Option>

const HELP = { type: 'boolean', short: 'h', help: 'show this' } as const

/**
 * Reads a command's words.
 * @returns null when help was asked for and has been printed
 * @throws UsageError for words that mean nothing
 */
export function readArguments<const T extends Readonly<Record<string, Option>>>(
  args: readonly string[],
  line: CommandLine<T>,
) {
  try {
    const parsed = parseArgs({
      args: [...args],
      options: { ...line.options, help: HELP },
      allowPositionals: true,
      strict: true,
    })
    if ((parsed.values as { help?: boolean }).help !== true) return parsed
    process.stdout.write(helpOf(line))
    return null
  } catch (error) {
    if (!(error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')) throw error
    const reason = (error as Error).message.split(/\. (?=To specify)|\n/)[0].replace(/\.$/, '')
    throw new UsageError(`${reason}. See: knowledge ${wordsOf(line.usage)} --help`)
  }
}

/** The words by which the command is called, such as `key issue`. */
function wordsOf(usage: string): string {
  return /^[a-z]+(?: [a-z]+)*/.exec(usage)![0]
}

/** Refuses words that the command does not take. */
export function refuseMore(words: readonly string[], command: string): void {
  if (words.length > 0) throw new UsageError(`"${words[0]}" means nothing here. See: knowledge ${command} --help`)
}

function helpOf({ usage, about, options }: CommandLine<Readonly<Record<string, Option>>>): string {
  const all: Readonly<Record<string, Option>> = { ...options, help: HELP }
  const rows = Object.entries(all).map(([name, option]) => {
    const short = option.short === undefined ? '    ' : `-${option.short}, `
    const value = option.value === undefined ? '' : ` ${option.value}`
    return [`${short}--${name}${value}`, option.help]
  })
  const width = Math.max(...rows.map(([left]) => left.length))
  const lines = rows.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`)
  return `Usage: knowledge ${usage}\n\n${about}\n\nOptions:\n${lines.join('\n')}\n`
}
