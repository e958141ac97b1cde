import type { Registry } from 'prom-client'
import { type Damage, damageIn, damageInWords } from '../damage.ts'
import { publishGauge } from './gauges.ts'

interface DamageLog {
  error(details: object, message: string): void
}

/**
 * Remembers what the database has said of damage since the process started, and logs each kind once: damage is met by
 * every request that touches it.
 */
export class DamageWatch {
  readonly #log: DamageLog
  readonly #byCode = new Map<string, Damage>()
  #errors = 0

  constructor(log: DamageLog) {
    this.#log = log
  }

  /** Notes an error of the database, if it tells of damage. */
  note(error: unknown): void {
    const damage = damageIn(error)
    if (damage !== null) this.noteDamage(damage)
  }

  /** Notes damage that another thread has met. */
  noteDamage(damage: Damage): void {
    this.#errors++
    if (this.#byCode.has(damage.code)) return
    this.#byCode.set(damage.code, damage)
    this.#log.error({ code: damage.code, error: damage.message }, damageInWords(damage))
  }

  /** Number of errors that told of damage. */
  get errors(): number {
    return this.#errors
  }

  /** The codes of all damage. */
  get codes(): string[] {
    return [...this.#byCode.keys()]
  }

  /** What the operator must look after, a line for each kind of damage. It is over with a restart. */
  get concerns(): readonly string[] {
    return [...this.#byCode.values()].map(damageInWords)
  }
}

/** Publishes how often this process has met damage. */
export function publishDamage(registry: Registry, watch: Pick<DamageWatch, 'errors'>): void {
  publishGauge(
    registry,
    {
      name: 'database_damage_errors',
      help: 'Errors since the start by which the database told of damaged data or a disk that fails',
    },
    () => [{ value: watch.errors }],
  )
}
