import { Readable } from 'node:stream'
import { withSnapshot } from '../../platform/database/snapshot.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { type CommandLine, type Option, readArguments, refuseMore, TENANT_OPTION } from './arguments.ts'
import type { CommandCall } from './command-call.ts'
import { counted } from './counted.ts'
import { exportLines } from './export/lines.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'
import { OUTPUT_OPTION, writeWhole } from './output-file.ts'
import { Progress } from './progress.ts'
import { withContext } from './context.ts'

const OPTIONS = {
  ...TENANT_OPTION,
  ...OUTPUT_OPTION,
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

/** Exports the tenant as it is at one moment, while others keep writing. */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  refuseMore(words.positionals, 'export')
  const { tenant: tenantId = 'default', output } = words.values
  return withContext(call, { create: false }, async ({ config, database }) => {
    await requireTenant(database.queries, tenantId)
    const place = { dataDir: config.dataDir, databaseUrl: config.databaseUrl }
    return interruptible((stop) =>
      withSnapshot(place, async (queries) => {
        const progress = new Progress('Exporting', call.stderr)
        const counts = { entry: 0, product: 0, site: 0 }
        const text = async function* (): AsyncGenerator<string> {
          for await (const { line, kind } of exportLines(queries, tenantId)) {
            if (kind === 'entry' || kind === 'product' || kind === 'site') counts[kind]++
            progress.update(counts.entry + counts.product, null)
            yield line
          }
        }
        try {
          await writeWhole(Readable.from(text()), output, call, stop)
        } catch (error) {
          if (!stop.aborted) throw error
          progress.clear()
          call.stderr.write('Interrupted; the incomplete export was removed.\n')
          return INTERRUPTED
        }
        progress.clear()
        if (output !== undefined) call.stderr.write(`${counted(counts)} written to ${output}\n`)
        return 0
      }),
    )
  })
}
