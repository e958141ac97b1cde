import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { withSnapshot } from '../../platform/database/snapshot.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { type CommandLine, type Option, readArguments, refuseMore, TENANT_OPTION } from './arguments.ts'
import { counted } from './counted.ts'
import { exportLines } from './export/lines.ts'
import { CommandFailed } from './failure.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'
import { Progress } from './progress.ts'
import { withContext } from './context.ts'

const OPTIONS = {
  ...TENANT_OPTION,
  output: { type: 'string', short: 'o', value: 'FILE', help: 'file to write (default: standard output)' },
} as const satisfies Record<string, Option>

const LINE = {
  usage: 'export [options]',
  about:
    'Writes everything of a tenant as JSON Lines, which `knowledge import` restores: settings, users, workspaces,\n' +
    'categories, projects, sites, entries with their history, products, rules of sites, synonyms and stop words. An\n' +
    'export has no keys, search log, clicks, audit log, rules of company accounts or vectors; the import computes the\n' +
    'vectors again. The file contains personal and restricted entries, so keep it where only operators can read it.',
  options: OPTIONS,
} satisfies CommandLine<typeof OPTIONS>

export const lines = [LINE]

/** Exports a snapshot of the tenant, while others keep writing. */
export async function run(args: readonly string[]): Promise<number> {
  const words = readArguments(args, LINE)
  if (words === null) return 0
  refuseMore(words.positionals, 'export')
  const { tenant: tenantId = 'default', output } = words.values
  return withContext({ create: false }, async ({ config, database }) => {
    await requireTenant(database.queries, tenantId)
    const place = { dataDir: config.dataDir, databaseUrl: config.databaseUrl }
    return interruptible((stop) =>
      withSnapshot(place, async (queries) => {
        const progress = new Progress('Exporting')
        const counts = { entry: 0, product: 0, site: 0 }
        const text = async function* (): AsyncGenerator<string> {
          for await (const { line, kind } of exportLines(queries, tenantId)) {
            if (kind === 'entry' || kind === 'product' || kind === 'site') counts[kind]++
            progress.update(counts.entry + counts.product, null)
            yield line
          }
        }
        try {
          await write(Readable.from(text()), output, stop)
        } catch (error) {
          if (!stop.aborted) throw error
          progress.clear()
          process.stderr.write('Interrupted; the incomplete export was removed.\n')
          return INTERRUPTED
        }
        progress.clear()
        if (output !== undefined) process.stderr.write(`${counted(counts)} written to ${output}\n`)
        return 0
      }),
    )
  })
}

/** Writes to a temporary file first, so that `output` is never an incomplete export. */
async function write(lines: Readable, output: string | undefined, signal: AbortSignal): Promise<void> {
  if (output === undefined) return pipeline(lines, process.stdout, { signal, end: false })
  const part = `${output}.part`
  try {
    await pipeline(lines, createWriteStream(part, { mode: 0o600, flush: true }), { signal })
    await rename(part, output)
  } catch (error) {
    await rm(part, { force: true })
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall !== undefined && code !== 'ENOSPC') {
      const reason = code === 'ENOENT' ? `there is no folder ${dirname(output)}` : code
      throw new CommandFailed(`Cannot write ${output}: ${reason}`)
    }
    throw error
  }
}
