import { helpOf } from '../../src/channels/cli/arguments.ts'
import { COMMANDS } from '../../src/channels/cli/commands.ts'
import { page, table } from './markdown.ts'

/** Returns every command with the help it prints, as Markdown. */
export async function renderCommandsPage(): Promise<string> {
  const summaries = Object.entries(COMMANDS).map(([name, { summary }]) => [`[\`${name}\`](#${name})`, summary])
  const sections = Object.entries(COMMANDS).map(async ([name, command]) => {
    const { lines } = await command.load()
    return [`## ${name}`, ...lines.map((line) => `\`\`\`\n${helpOf(line)}\`\`\``)]
  })
  return page(
    '# Commands',
    'What each command prints with `--help`. [The command line](command-line.md) tells how to work with them.',
    'This page is generated from what the commands declare; do not edit it.',
    table(['Command', 'What it does'], summaries),
    ...(await Promise.all(sections)).flat(),
  )
}
