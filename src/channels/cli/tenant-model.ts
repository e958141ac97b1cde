import { targetsOf } from '../../composition/embedding-targets.ts'
import { openEmbedders } from '../../composition/open-embedders.ts'
import { BUILTIN_NAMES, type BuiltinName, isBuiltinName } from '../../embedding/builtin/names.ts'
import { ModelChoiceRules } from '../../embedding/choice-rules.ts'
import type { EmbeddingModels } from '../../embedding/contract.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import { OPERATOR } from '../../platform/audit/audit.ts'
import { action } from './actions.ts'
import { type Option, refuseMore, TENANT_OPTION } from './arguments.ts'
import { calledAs } from './called-as.ts'
import { withContext } from './context.ts'
import { CommandFailed, UsageError } from './failure.ts'
import { RUNTIME_REMEDY } from './runtime-remedy.ts'
import { table } from './table.ts'

/** Word for leaving the choice to the installation. */
const DEFAULT = 'default'

const OPTIONS = {
  ...TENANT_OPTION,
  yes: { type: 'boolean', help: 'do it, also where texts have to be read again' },
} as const satisfies Record<string, Option>

/** `knowledge tenant model`. */
export const modelAction = action(
  'show or choose the embedding model of a tenant',
  {
    usage: 'tenant model [MODEL] [options]',
    about:
      'Shows the models that ship with the service, which one a tenant uses, and what a move to each costs. With MODEL it\n' +
      `chooses one: ${BUILTIN_NAMES.join(', ')}, or ${DEFAULT} to leave that to the settings of the service. A\n` +
      'running service then reads what has no vectors of the model; searches go on with the old one meanwhile.',
    options: OPTIONS,
  },
  async (words, call) => {
    const [model, ...more] = words.positionals
    refuseMore(more, 'tenant model')
    const { tenant = 'default', yes = false } = words.values
    const name = model === undefined || model === DEFAULT ? null : nameOf(model)
    return withContext(call, { create: false }, async ({ config, database }) => {
      await requireTenant(database.queries, tenant)
      const embedders = openEmbedders(config)
      try {
        const rules = new ModelChoiceRules({ database, targets: targetsOf(), embedders, onChosen: () => undefined })
        const { value: before } = await rules.list(tenant)
        if (model === undefined) {
          call.stdout.write(describe(before))
          return 0
        }
        requireHere(before, name)
        if (!yes) requireFree(before, tenant, name)
        const { value: after } = await rules.choose(OPERATOR, tenant, name, null)
        call.stdout.write(outcomeOf(after, tenant))
        return 0
      } finally {
        await embedders.close()
      }
    })
  },
)

function nameOf(word: string): BuiltinName {
  if (isBuiltinName(word)) return word
  throw new UsageError(
    `There is no built-in model "${word}"; there are ${BUILTIN_NAMES.join(', ')}, and ${DEFAULT}. What a move costs: ` +
      calledAs('tenant model'),
  )
}

/** Refuses a model that this machine cannot run, as the rules do, with what an operator can do. @throws CommandFailed */
function requireHere({ models, choice }: EmbeddingModels, name: BuiltinName | null): void {
  const reason = models.find((each) => each.name === name)?.reason ?? null
  if (reason === null || choice === name) return
  throw new CommandFailed(`${name} cannot be used here: ${reason}. ${RUNTIME_REMEDY}`)
}

/** Refuses a choice for which texts would have to be read, until the operator knows the cost. @throws UsageError */
function requireFree({ models }: EmbeddingModels, tenantId: string, name: BuiltinName | null): void {
  const offer = models.find((each) => each.name === name)
  if (offer === undefined || !offer.can_be_chosen || offer.items === 0) return
  throw new UsageError(
    `For ${offer.name}, ${textsOf(tenantId, offer.items)} to be read, about ${offer.passages} ` +
      `${offer.passages === 1 ? 'passage' : 'passages'}, which takes about ${minutes(offer.minutes)}. Searches go on ` +
      'with the present model meanwhile. Add --yes to do it',
  )
}

function describe({ choice, model, target_model: target, models }: EmbeddingModels): string {
  const rows = models.map((offer) => [
    offer.name,
    stateOf(offer, model, target),
    String(offer.items),
    String(offer.passages),
    String(offer.minutes),
  ])
  const used = `Searches use ${model ?? 'no model yet'}${model === target ? '' : `, and move to ${target}`}.`
  const chosen = choice === null ? 'The tenant has chosen none.' : `The tenant has chosen ${choice}.`
  return `${used} ${chosen}\n${table(['MODEL', 'STATE', 'TO READ', 'PASSAGES', 'MINUTES'], rows)}`
}

function stateOf(offer: EmbeddingModels['models'][number], model: string | null, target: string): string | null {
  if (offer.model === target) return offer.model === model ? 'in use' : 'moving to it'
  if (offer.model === model) return 'in use until then'
  return offer.reason === null ? null : `not here: ${offer.reason}`
}

function outcomeOf({ model, target_model: target }: EmbeddingModels, tenantId: string): string {
  if (model === target) return `${tenantId} searches with ${target}\n`
  return (
    `${tenantId} moves to ${target}: a running service reads its texts, or ` +
    `${calledAs(`reindex --resume --tenant ${tenantId}`)} does. To see how far it is: ${calledAs(`tenant model --tenant ${tenantId}`)}\n`
  )
}

function textsOf(tenantId: string, count: number): string {
  return count === 1 ? `1 text of ${tenantId} has` : `${count} texts of ${tenantId} have`
}

function minutes(count: number): string {
  return count === 1 ? 'a minute' : `${count} minutes`
}
