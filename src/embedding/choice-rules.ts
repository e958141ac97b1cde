import { type Actor, recordAudit } from '../platform/audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import { invalid } from '../platform/faults.ts'
import { type Expected, requireExpected } from '../platform/precondition.ts'
import { BUILTIN_MODELS, BUILTIN_NAMES, type BuiltinName, builtinNameOf } from './builtin/names.ts'
import type { EmbeddingModels } from './contract.ts'
import { deleteOtherJobs } from './job-store.ts'
import * as store from './model-store.ts'
import { costOf } from './move-cost.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { targetModel } from './target-model.ts'
import type { EmbeddingTargets } from './targets.ts'

interface ModelChoiceOptions {
  readonly database: Database
  readonly targets: EmbeddingTargets
  readonly embedders: Pick<EmbedderPool, 'installed' | 'speed' | 'absenceOf'>
  /** Is called after a commit by which a tenant has to move to another model. */
  readonly onChosen: () => void
}

/** Choices of a tenant, with the version of its settings, which grows by one with each change. */
interface VersionedModels {
  readonly version: number
  readonly value: EmbeddingModels
}

/**
 * Lets a tenant choose among the models that ship with the service. They lie in the process, so a choice reaches no
 * address of the operator's network and costs nothing but time; providers stay the operator's.
 */
export class ModelChoiceRules {
  readonly #options: ModelChoiceOptions

  constructor(options: ModelChoiceOptions) {
    this.#options = options
  }

  /** Returns the models that a tenant may choose, with what a move to each would cost. */
  async list(tenantId: string): Promise<VersionedModels> {
    const { database, targets, embedders } = this.#options
    const { version, ...models } = await store.settledModels(database.queries, tenantId)
    const offers = await Promise.all(
      BUILTIN_NAMES.map(async (name) => {
        const id = BUILTIN_MODELS[name]
        const texts = await Promise.all(targets.map((each) => each.textsToRead(database.queries, tenantId, id)))
        const reason = embedders.absenceOf(id)
        const cost = costOf(texts, embedders.speed.of(id))
        return { name, model: id, can_be_chosen: reason === null, reason, ...cost }
      }),
    )
    const value = {
      choice: builtinNameOf(models.choice),
      model: models.model,
      target_model: targetModel(models, embedders.installed),
      default_model: targetModel({ ...models, choice: null }, embedders.installed),
      models: offers,
    }
    return { version, value }
  }

  /**
   * Chooses the model of a tenant, or leaves that to the installation. A choice that is made while the tenant moves ends
   * that move: its jobs are dropped, and searches go on with the model that they use, until the vectors of the chosen
   * one are complete. Vectors that are still there are not made again.
   * @param name null for the installation's choice
   * @throws Fault invalid at `choice` when the model cannot be used here; precondition_failed when the settings have
   *   another version
   */
  async choose(
    actor: Actor,
    tenantId: string,
    name: BuiltinName | null,
    expected: Expected<number>,
  ): Promise<VersionedModels> {
    const { database, embedders, onChosen } = this.#options
    const choice = name === null ? null : BUILTIN_MODELS[name]
    const isMoving = await database.write(async (tx) => {
      const { version, ...before } = await store.lockModels(tx, tenantId)
      requireExpected(version, expected, 'Somebody else has changed the settings. Read them again')
      if (before.choice === choice) return false
      if (choice !== null) this.#requirePresent(choice)
      await store.setChoice(tx, tenantId, choice)
      const target = targetModel({ ...before, choice }, embedders.installed)
      await deleteOtherJobs(tx, tenantId, [target, ...(before.model === null ? [] : [before.model])])
      const changes = { embedding_choice: { before: builtinNameOf(before.choice), after: name } }
      await recordAudit(tx, tenantId, actor, [
        { action: 'update', resourceType: 'tenant', resourceId: tenantId, details: { changes } },
      ])
      return target !== before.model
    }, tenantId)
    if (isMoving) onChosen()
    return this.list(tenantId)
  }

  #requirePresent(id: string): void {
    const reason = this.#options.embedders.absenceOf(id)
    if (reason === null) return
    throw invalid(
      ['body', 'choice'],
      'model_unavailable',
      `This model cannot be used here: ${reason}. The operator of the service can change that; until then choose ` +
        'another model',
    )
  }
}
