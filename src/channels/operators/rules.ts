import type { Operator } from '../../platform/access/operator.ts'
import type { Issuer } from '../../identity/api-keys/rules.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Page, PageOf } from '../../platform/database/page.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { conflict, Fault, invalid } from '../../platform/faults.ts'
import { createTenant } from '../../composition/new-tenant.ts'
import type { UsageDays } from '../../composition/tenants/usage-figures.ts'
import { usageOfTenant, usageOfTenants } from '../../composition/tenants/read-usage.ts'
import { type LogPlace, pageOfLog } from '../../identity/operators/log-rules.ts'
import { changeTenantAsOperator } from '../../identity/operators/tenant-change.ts'
import { actorOf, recordOperation } from '../../identity/operators/operator-log.ts'
import { cancelRemoval, planRemoval, resumeTenant, suspendTenant } from '../../identity/operators/tenant-life.ts'
import type { PasswordCost } from '../../identity/sessions/password-hash.ts'
import { pageOfTenants, tenantOfReference } from '../../identity/tenants/list-rules.ts'
import { requireTenant } from '../../identity/tenants/rules.ts'
import type { TenantQuotas, TenantQuotasChange } from '../../identity/quotas/contract.ts'
import { changeQuotas, readQuotas } from '../../identity/quotas/rules.ts'
import { spellingsOf } from '../../identity/tenants/realm.ts'
import { parseSettings, settingFields, settingsOf, TENANT_SETTINGS } from '../../identity/tenants/settings.ts'
import { stateOf } from '../../identity/tenants/tenant-state.ts'
import type {
  InstallationStatus,
  OperatedTenant,
  OperatorLogItem,
  TenantChange,
  TenantCreate,
  TenantCreated,
  TenantQuery,
  TenantUsage,
  TenantUsageByDay,
} from './contract.ts'
import { installationStatus, type StatusSources } from './status.ts'
import { countedOf, daysIn, usageOf, usedOf } from './usage.ts'

type TenantFilters = Pick<TenantQuery, 'state' | 'host' | 'reference' | 'q'>

export interface OperatorRulesOptions extends StatusSources {
  /** Returns the address of the service. No tenant may have its host, which the others share. */
  readonly publicUrl: () => string
  /** Cost of the hash of the first administrator's password. */
  readonly passwordCost?: PasswordCost
  readonly now?: () => number
}

/**
 * Manages tenants for operators. Operators see the settings of tenants and how much tenants use, never the texts, the
 * queries or the names of their people.
 */
export class OperatorRules {
  readonly #database: Database
  readonly #sources: StatusSources
  readonly #publicUrl: () => string
  readonly #passwordCost: PasswordCost | undefined
  readonly #now: () => number

  constructor({ publicUrl, passwordCost, now = Date.now, ...sources }: OperatorRulesOptions) {
    this.#database = sources.database
    this.#sources = sources
    this.#publicUrl = publicUrl
    this.#passwordCost = passwordCost
    this.#now = now
  }

  /**
   * Creates a tenant with its first administrator and key. For a reference that the tenant has already it creates
   * nothing, so that a script can run again.
   * @throws Fault naming the faulty field; conflict when the id, host or reference is taken
   */
  async create(operator: Operator, input: TenantCreate): Promise<{ isNew: boolean; answer: TenantCreated }> {
    this.#requireOwnHost(input.host)
    const earlier = await this.#repeated(input)
    if (earlier !== null) return { isNew: false, answer: earlier }
    const { id, administrator = null, api_key: key = null } = input
    const expiresAt = key?.expires_at ? Date.parse(key.expires_at) : null
    if (expiresAt !== null && expiresAt <= this.#now())
      throw invalid(['body', 'api_key', 'expires_at'], 'value_error', 'Input should be in the future')
    const tenant = {
      id,
      name: input.name ?? id,
      host: input.host ?? null,
      reference: input.reference ?? null,
      settings: settingTexts(input.settings),
    }
    const start = {
      administrator:
        administrator === null
          ? null
          : { email: administrator.email, name: administrator.name ?? administrator.email, password: null },
      key: key === null ? null : { name: key.name, expiresAt },
    }
    const issuer: Issuer = { ...actorOf(operator), kind: 'operator' }
    try {
      const secrets = await withPlaces(createTenant(this.#database, tenant, issuer, start, this.#passwordCost))
      return {
        isNew: true,
        answer: {
          tenant: tenantOf(await requireTenant(this.#database.queries, id)),
          administrator: secrets.administrator,
          api_key: secrets.key,
        },
      }
    } catch (error) {
      // The same script may run twice at the same moment; the second run then answers like a later one.
      const other = error instanceof Fault && error.kind === 'conflict' ? await this.#repeated(input) : null
      if (other === null) throw error
      return { isNew: false, answer: other }
    }
  }

  /** Returns the tenant that an earlier call with the same reference and id created; null when there is none. */
  async #repeated({ id, reference = null }: TenantCreate): Promise<TenantCreated | null> {
    const row = reference === null ? null : await tenantOfReference(this.#database.queries, reference)
    return row?.tenant_id === id ? { tenant: tenantOf(row), administrator: null, api_key: null } : null
  }

  /** Returns a page of tenants, sorted by id. */
  async list(
    { state, host, reference, q }: TenantFilters,
    page: PageOf<readonly [id: string]>,
  ): Promise<Page<OperatedTenant, readonly [string]>> {
    const { items, next } = await this.#page({ state, host, reference, q }, page)
    return { items: items.map(tenantOf), next }
  }

  #page(
    { q, ...filter }: TenantFilters,
    page: PageOf<readonly [id: string]>,
  ): Promise<Page<TenantRow, readonly [string]>> {
    return pageOfTenants(this.#database.queries, { ...filter, text: q }, page)
  }

  /** @throws Fault not_found */
  async read(id: string): Promise<OperatedTenant> {
    return tenantOf(await withPlaces(requireTenant(this.#database.queries, id)))
  }

  /** Changes name, host, reference and settings. @throws Fault naming the faulty field; not_found; conflict */
  async change(operator: Operator, id: string, input: TenantChange): Promise<OperatedTenant> {
    this.#requireOwnHost(input.host)
    const actor = actorOf(operator)
    const change = { ...input, settings: settingTexts(input.settings) }
    const isChange = Object.keys(input).length > 0
    const alsoWrite = (tx: Parameters<typeof recordOperation>[0]) => recordOperation(tx, actor, 'update', 'tenant', id)
    if (isChange) await withPlaces(changeTenantAsOperator(this.#database, id, change, actor, alsoWrite))
    return this.read(id)
  }

  /** @throws Fault conflict for the host of the service, which would take the sign-ins of all other tenants */
  #requireOwnHost(host: string | null | undefined): void {
    const hostname = host ? spellingsOf(host).hostname : null
    if (hostname === new URL(this.#publicUrl()).hostname)
      throw conflict(['body', 'host'], 'This is the host of the service itself, at which other tenants are reached')
  }

  /** @throws Fault not_found */
  async suspend(operator: Operator, id: string): Promise<OperatedTenant> {
    return tenantOf(await withPlaces(suspendTenant(this.#database, id, actorOf(operator))))
  }

  /** @throws Fault not_found; conflict while the tenant is to be removed */
  async resume(operator: Operator, id: string): Promise<OperatedTenant> {
    return tenantOf(await withPlaces(resumeTenant(this.#database, id, actorOf(operator))))
  }

  /** @throws Fault not_found; conflict unless the tenant is suspended, and for the last one */
  async planRemoval(operator: Operator, id: string, graceDays: number): Promise<OperatedTenant> {
    return tenantOf(await withPlaces(planRemoval(this.#database, id, graceDays, actorOf(operator))))
  }

  /** @throws Fault not_found; conflict once the removal has begun */
  async cancelRemoval(operator: Operator, id: string): Promise<OperatedTenant> {
    return tenantOf(await withPlaces(cancelRemoval(this.#database, id, actorOf(operator))))
  }

  /** Returns a page of the figures of tenants that pass the filters. @throws Fault invalid for malformed days */
  async usage(
    { state, host, reference, q, ...input }: TenantFilters & Partial<UsageDays>,
    page: PageOf<readonly [id: string]>,
  ): Promise<Page<TenantUsage, readonly [string]>> {
    const days = daysIn(input, this.#now())
    const { items, next } = await this.#page({ state, host, reference, q }, page)
    const figures = await usageOfTenants(
      this.#database.queries,
      days,
      items.map(({ tenant_id: id }) => id),
    )
    return { items: figures.map(usageOf), next }
  }

  /** Returns what a tenant has, and its use by day. @throws Fault invalid for malformed days; not_found */
  async usageOf(id: string, input: Partial<UsageDays>): Promise<TenantUsageByDay> {
    const days = daysIn(input, this.#now())
    const { name } = await withPlaces(requireTenant(this.#database.queries, id))
    const figures = await usageOfTenant(this.#database, id, days)
    return {
      tenant_id: id,
      name,
      ...countedOf(figures.counted),
      days: figures.days.map(({ day, ...use }) => ({ day, ...usedOf(use) })),
    }
  }

  /** Returns the quotas of a tenant, and what it has of them. @throws Fault not_found */
  quotas(id: string): Promise<TenantQuotas> {
    return withPlaces(readQuotas(this.#database, id, this.#now()))
  }

  /** Changes quotas, in force from the tenant's next request on. @throws Fault not_found */
  async changeQuotas(operator: Operator, id: string, input: TenantQuotasChange): Promise<TenantQuotas> {
    const actor = actorOf(operator)
    const alsoWrite = (tx: Parameters<typeof recordOperation>[0]) => recordOperation(tx, actor, 'update', 'tenant', id)
    await withPlaces(changeQuotas(this.#database, id, input, actor, alsoWrite, this.#now()))
    return this.quotas(id)
  }

  /** Returns a page of the installation's audit log, newest first. */
  async log(page: PageOf<LogPlace>): Promise<Page<OperatorLogItem, LogPlace>> {
    const { items, next } = await pageOfLog(this.#database.queries, page)
    return { items: items.map(({ tenant_id: _none, at, ...row }) => ({ ...row, at: iso(at) })), next }
  }

  status(): Promise<InstallationStatus> {
    return installationStatus(this.#sources)
  }
}

const iso = (at: number): string => new Date(at).toISOString()

function tenantOf(row: TenantRow): OperatedTenant {
  return {
    id: row.tenant_id,
    name: row.name,
    host: row.host,
    reference: row.reference,
    state: stateOf(row),
    settings: settingFields(parseSettings(row.settings)) as OperatedTenant['settings'],
    suspended_at: row.suspended_at === null ? null : iso(row.suspended_at),
    remove_at: row.remove_at === null ? null : iso(row.remove_at),
    created_at: iso(row.created_at),
  }
}

/** Writes settings as `knowledge tenant set` takes them, because the same rule reads both. */
function settingTexts(settings: TenantChange['settings'] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(settingsOf(settings)).map(([name, value]) => [name, String(value)]))
}

/** Places in an operator's request, by the names that the rules of tenants, users and keys give to them. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  tenant: ['body', 'id'],
  host: ['body', 'host'],
  reference: ['body', 'reference'],
  email: ['body', 'administrator', 'email'],
  name: ['body', 'api_key', 'name'],
}

/** Makes the faults of other rules name the place in an operator's request. */
async function withPlaces<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (error.kind === 'not_found')
      throw new Fault('not_found', [{ loc: ['path', 'tenant_id'], msg: 'Tenant not found', type: 'not_found' }])
    const details = error.details.map((detail) => ({ ...detail, loc: placeOf(detail.loc) }))
    throw error.withDetails(details, error)
  }
}

function placeOf(loc: readonly string[]): readonly string[] {
  const [name] = loc
  if (loc.length !== 1) return loc
  const setting = Object.hasOwn(TENANT_SETTINGS, name) ? TENANT_SETTINGS[name as keyof typeof TENANT_SETTINGS] : null
  return setting === null ? (PLACES[name] ?? loc) : ['body', 'settings', setting.field]
}
