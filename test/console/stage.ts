import type { Browser } from 'playwright-core'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { issueOperator } from '../../src/identity/operators/rules.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { putRules } from '../../src/identity/sign-in-rules/store.ts'
import { CLIENT, OutsideProvider } from '../sessions/outside-provider.ts'
import { serveAxe, startChromium } from '../support/chromium.ts'
import { DATABASES } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import { TestService } from '../support/service.ts'
import { Sample } from './sample/sample.ts'
import { fillShop, SHOP } from './sample/shop.ts'
import { Application } from './application.ts'
import { type Look, LOOKS, Visitor } from './visitor.ts'

export const ADMIN = 'admin@localhost'
export const PASSWORD = 'correct horse battery'
/** Addresses of the people in stories, by their role. */
export const PEOPLE = {
  reader: 'reader@x',
  editor: 'editor@x',
  admin: ADMIN,
  /** Administrator of a shop with searches and clicks of some weeks. */
  shopkeeper: 'shopkeeper@x',
  /** Administrator of an organisation in which nothing is yet. */
  founder: 'founder@x',
} as const
export const KEYS = '/console/settings/api-keys'
export const CLIENTS = '/console/settings/oauth-clients'

/** One service, one browser and one external provider for all stories, because each takes seconds to start. */
export class Stage {
  service!: TestService
  outside!: OutsideProvider
  /** Content of the tenant `default`. */
  sample!: Sample
  /** Credential of an operator. */
  operatorKey!: string
  #browser: Browser | null = null
  readonly #applications: Application[] = []
  /** Browsers that wait for the next visit, by their look. */
  readonly #idle = new Map<string, Visitor[]>()

  /**
   * Starts the service, the browser and the provider, and fills the tenants.
   * @param settings settings of the service, beside those of all stories
   */
  async open(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    this.outside = await OutsideProvider.start()
    // One database is enough: pages do not depend on it.
    this.service = await TestService.start(DATABASES[0], {
      BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
      SIGN_IN_ISSUER: this.outside.issuer,
      SIGN_IN_CLIENT_ID: CLIENT.id,
      SIGN_IN_CLIENT_SECRET: CLIENT.secret,
      SIGN_IN_NAME: 'Company login',
      ...settings,
    })
    this.outside.open([`${this.base}/sign-in/provider/callback`])
    serveAxe(this.service.service.app.server)
    this.#browser = await startChromium()
    await this.service.tenant('second')
    this.operatorKey = (await issueOperator(this.service.database, { name: 'Olga Operator', expiresAt: null })).key
    this.sample = await Sample.fill(this.service)
    await fillShop(this.service)
    await this.person(PEOPLE.shopkeeper, 'Sina Shopkeeper', 'admin', SHOP)
    await this.foundOrganisation(PEOPLE.founder, 'new')
    await this.person('reader@x', 'Rita Reader', 'reader')
    await this.person('editor@x', 'Ed Editor', 'editor')
    await this.person('both@x', 'Bo Both', 'reader')
    await this.person('both@x', 'Bo Both', 'reader', 'second')
    await this.sample.invite(this.service)
  }

  /** Stops the service, and starts it again at the same address once `meanwhile` is over. */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    await this.service.restart(meanwhile)
    serveAxe(this.service.service.app.server)
  }

  async close(): Promise<void> {
    for (const application of this.#applications) await application.close()
    await this.#browser?.close()
    await this.service?.stop()
    await this.outside?.stop()
  }

  /** Returns the address of the service, as people know it. */
  get base(): string {
    return this.service.service.publicUrl
  }

  async person(email: string, name: string, role: string, tenant = 'default'): Promise<void> {
    const { id } = await createUser(this.service.database, tenant, { email, name, role })
    await givePassword(this.service.database, tenant, id, PASSWORD)
  }

  /**
   * Links accounts at the provider to people here by their address alone, as in tenants that want no proof, until the
   * story is over. Proofs have their tests in `test/sessions/provider.test.ts`.
   */
  async withoutLinkProof(story: () => Promise<void>): Promise<void> {
    const { queries } = this.service.database
    const rules = { rules: JSON.stringify({ link_proof: false }), version: 1 }
    for (const tenant of ['default', 'second']) await putRules(queries, tenant, rules)
    await story()
    await queries.deleteFrom('sign_in_rules').execute()
  }

  /** Creates a tenant as the first start makes it, with its administrator. */
  async foundOrganisation(email: string, tenant: string): Promise<void> {
    await createTenant(this.service.database, { id: tenant, name: 'Default', host: null })
    await this.person(email, 'Fay Founder', 'admin', tenant)
  }

  /**
   * Lends a browser without any state. After the visit it forgets everything and is lent again, because a new one would
   * have to read the console's code anew.
   */
  async visit(look: Look = LOOKS[0]): Promise<Visitor> {
    const name = Object.values(look).join(' ')
    const idle = this.#idle.get(name) ?? []
    this.#idle.set(name, idle)
    return idle.pop() ?? Visitor.open(this.#browser!, this.base, look, (visitor) => void idle.push(visitor))
  }

  /**
   * Begins a visit in a browser of its own, for a story that changes what no later visit can undo: the browser's clock,
   * scripts or devices.
   */
  visitAlone(look: Look = LOOKS[0]): Promise<Visitor> {
    return Visitor.open(this.#browser!, this.base, look)
  }

  /** Registers an application with a key of the tenant `default`. @param moreAddresses further redirect addresses */
  async connect(name: string, moreAddresses: readonly string[] = []): Promise<Application> {
    const application = await Application.register(this.service, this.base, name, moreAddresses)
    this.#applications.push(application)
    return application
  }

  /** Issues an administrator's key. @param by another such key to issue it with; null for the command line */
  async issue(name: string, by: string | null): Promise<string> {
    const scopes = ['tenant:admin', 'knowledge:read']
    if (by === null) {
      const order = { name, scopes, userId: null, expiresAt: null }
      return (await issueApiKey(this.service.database, 'default', order)).key
    }
    const { body } = await this.service.call('POST', '/api/knowledge/api-keys', { key: by, body: { name, scopes } })
    return body.key
  }

  /** Returns the status of the API's answer to a key or token. */
  async statusWith(key: string): Promise<number> {
    return (await this.service.call('GET', '/api/knowledge/categories', { key })).status
  }
}
