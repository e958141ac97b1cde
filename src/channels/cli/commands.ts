import type { CommandLine } from './arguments.ts'
import { calledAs } from './called-as.ts'
import type { CommandCall } from './command-call.ts'

interface LoadedCommand {
  /** The ways to call the command, as its help tells them. */
  readonly lines: readonly CommandLine[]
  /** Gets the words after the command's name and returns the exit code. */
  run(args: readonly string[], call: CommandCall): Promise<number>
}

/** A command of the command line. */
interface Command {
  readonly summary: string
  readonly load: () => Promise<LoadedCommand>
}

/** All commands by name. Only the command that runs is loaded, so that it starts fast. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { summary: 'start the service', load: () => import('./serve.ts') },
  import: { summary: 'import Markdown folders, JSON Lines or an export', load: () => import('./import.ts') },
  'import-products': { summary: 'import a product feed into a site', load: () => import('./import-products.ts') },
  export: { summary: 'write everything of a tenant as JSON Lines', load: () => import('./export.ts') },
  migrate: { summary: 'update the schema of the database, as a start does', load: () => import('./migrate.ts') },
  backup: { summary: 'back up everything, while the service runs', load: () => import('./backup.ts') },
  restore: { summary: 'restore a backup into an empty place', load: () => import('./restore.ts') },
  copy: { summary: 'copy everything, or a tenant, to another database', load: () => import('./copy.ts') },
  key: { summary: 'issue, list and revoke API keys', load: () => import('./key.ts') },
  tenant: { summary: 'create, change, suspend and delete tenants', load: () => import('./tenant.ts') },
  user: { summary: 'create, list, change, disable and erase users, set passwords', load: () => import('./user.ts') },
  audit: { summary: 'read and export the audit log of a tenant', load: () => import('./audit.ts') },
  secret: { summary: 'replace the secret key, and seal everything anew', load: () => import('./secret.ts') },
  operator: { summary: 'issue, list and revoke credentials of operators', load: () => import('./operator.ts') },
  learn: { summary: 'learn from clicks now', load: () => import('./learn.ts') },
  reindex: { summary: 'compute the vectors of a tenant again', load: () => import('./reindex.ts') },
  doctor: {
    summary: 'check the installation; doctor oauth: check whether assistants can connect',
    load: () => import('./doctor.ts'),
  },
}

export function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(15)} ${summary}`)
  const [call, help] = [calledAs('<command> [options]'), calledAs('<command> --help')]
  return `Usage: ${call}\n\n${lines.join('\n')}\n\nHelp for a command: ${help}\nVersion: ${calledAs('--version')}\n`
}
