import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Ends the program with a line that says what to write instead. */
export function refuse(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

/** Reads options. For an unknown option it ends the program with a line that names the options that exist. */
export function readOptions<T extends Required<Pick<ParseArgsConfig, 'options'>>>(
  config: T,
): ReturnType<typeof parseArgs<T>>['values'] {
  try {
    return parseArgs(config).values
  } catch (error) {
    const names = Object.keys(config.options).map((name) => `--${name}`)
    return refuse(`${(error as Error).message}\nThe options are ${names.join(', ')}.`)
  }
}
