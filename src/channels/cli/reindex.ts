import { targetsOf } from '../../composition/embedding-targets.ts'
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import { activateModel, enqueueAll, enqueueMissing, forgetModel } from '../../embedding/model-change.ts'
import { isLengthOpen } from '../../embedding/providers.ts'
import { modelsOfTenant } from '../../embedding/rules.ts'
import { targetModel } from '../../embedding/target-model.ts'
import { storedLength } from '../../embedding/vector-length.ts'
import { openEmbedders } from '../../composition/open-embedders.ts'
import { type CommandLine, type Option, readArguments, refuseMore } from './arguments.ts'
import { chosenTenants, refuseBoth, TENANTS_OPTIONS } from './chosen-tenants.ts'
import type { CommandCall } from './command-call.ts'
import { makeVectors } from './embedding-wait.ts'
import { INTERRUPTED, interruptible } from './interrupt.ts'
import { withContext, type Context } from './context.ts'

const OPTIONS = {
  ...TENANTS_OPTIONS,
  resume: { type: 'boolean', help: 'continue an interrupted run: only items that still wait for vectors' },
} as const satisfies Record<string, Option>

const LINE = {
  usage: 'reindex [options]',
  about:
    'Computes the vectors of everything in a tenant again, with the embedding model that the tenant has chosen or else\n' +
    'the configured one, and waits for them. What a built-in model has read is not read again. Search uses the old\n' +
    'vectors meanwhile. A running service shares the work. If the vectors of the model have another length now, the old\n' +
    'ones are deleted first, and search goes by words until the new ones are there.',
  options: OPTIONS,
} satisfies CommandLine<typeof OPTIONS>

export const lines = [LINE]

/** Computes vectors again. @returns exit code 0; 1 when a provider failed, 130 after an interruption */
export async function run(args: readonly string[], call: CommandCall): Promise<number> {
  const words = readArguments(args, LINE, call)
  if (words === null) return 0
  refuseMore(words.positionals, 'reindex')
  const { resume = false } = words.values
  refuseBoth(words.values)
  return withContext(call, { create: false }, (context) =>
    interruptible(async (stop) => {
      const rows = await chosenTenants(context.database.queries, words.values)
      const embedders = openEmbedders(context.config)
      try {
        const length = await lengthNow(embedders, stop)
        let code = 0
        for (const { tenant_id: tenantId } of rows) {
          code = Math.max(code, await reindex(context, embedders, tenantId, { resume, length }, stop))
          if (stop.aborted) break
        }
        return code
      } finally {
        await embedders.close()
      }
    }),
  )
}

/**
 * Returns the length of the vectors that the configured model's provider makes now. Null where the model's id tells it,
 * and where the provider does not answer: the later call for the vectors tells why.
 */
async function lengthNow({ current }: EmbedderPool, stop: AbortSignal): Promise<number | null> {
  if (!isLengthOpen(current.id)) return null
  try {
    return (await current.embed(['How long are the vectors?'], 'passage', stop))[0].length
  } catch {
    return null
  }
}

async function reindex(
  context: Context,
  embedders: EmbedderPool,
  tenantId: string,
  { resume, length }: { readonly resume: boolean; readonly length: number | null },
  stop: AbortSignal,
): Promise<number> {
  const { database, call } = context
  const { installed } = embedders
  const targets = targetsOf()
  const models = await modelsOfTenant(database.queries, tenantId)
  const { model: active } = models
  const model = targetModel(models, installed)
  if (active !== null && active !== model) call.stderr.write(`${tenantId}: moving from ${active} to ${model}\n`)
  const expected = model === embedders.current.id ? length : null
  const stored = expected === null ? null : await storedLength(database.queries, targets, tenantId, model)
  if (stored !== null && stored !== length) {
    call.stderr.write(
      `${tenantId}: the vectors of ${model} have ${length} numbers now, those stored ${stored}. The stored ones are ` +
        'deleted; search goes by words until the new ones are there.\n',
    )
    await forgetModel(database, targets, tenantId, model)
  }
  const wanted = { tenantId, model, installed }
  const count = await (resume ? enqueueMissing : enqueueAll)(database, targets, wanted)
  if (!resume) call.stderr.write(`${tenantId}: ${count} items need vectors of ${model}\n`)
  const { pending, error } = await makeVectors(context, embedders, tenantId, [model], stop)
  if (pending === 0 && (await activateModel(database, targets, wanted))) {
    call.stdout.write(`${tenantId}: everything has vectors of ${model}\n`)
    return 0
  }
  if (stop.aborted) {
    call.stderr.write(
      `Interrupted; ${pending} items of ${tenantId} still wait. The service continues with them when it runs, or ` +
        'this command does with --resume.\n',
    )
    return INTERRUPTED
  }
  call.stderr.write(
    `${tenantId}: ${pending} items still wait; the embedding provider reported: ${error}. ` +
      'When the provider works again, the service continues by itself, or this command does with --resume.\n',
  )
  return 1
}
