import type { Config } from '../config.ts'
import type { Database } from '../platform/database/database.ts'
import type { RoutePlugin } from '../platform/http/route.ts'
import type { TenantRates } from '../platform/http/tenant-rates.ts'
import type { SecretBox } from '../platform/secrets.ts'
import { factorResetRoutes } from './administration/factor-reset-routes.ts'
import { FactorResets } from './administration/factor-reset-rules.ts'
import { keyRoutes } from './administration/key-routes.ts'
import { type FindSite, KeyAdministration } from './administration/key-rules.ts'
import { signInStatusRoutes } from './administration/sign-in-status-routes.ts'
import { SignInStatus } from './administration/sign-in-status-rules.ts'
import { tenantSettingsRoutes } from './administration/tenant-settings-routes.ts'
import { TenantSettingsRules } from './administration/tenant-settings-rules.ts'
import { userAccessRoutes } from './administration/user-access-routes.ts'
import { UserAccessRules } from './administration/user-access-rules.ts'
import { userRoutes } from './administration/user-routes.ts'
import { type EraseUser, UserAdministration } from './administration/user-rules.ts'
import { auditRoutes } from './audit-trail/routes.ts'
import { AuditTrail } from './audit-trail/rules.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { InvitationRules } from './invitations/rules.ts'
import type { Outbox } from './mail/outbox.ts'
import { oauthPlugins } from './oauth/oauth.ts'
import { passwordResetRoutes } from './password-resets/routes.ts'
import { PasswordResetRules } from './password-resets/rules.ts'
import { profileRoutes } from './profile/routes.ts'
import { ProfileRules } from './profile/rules.ts'
import { LogoutTokens } from './provider-logout/logout-token.ts'
import { providerLogoutRoutes } from './provider-logout/routes.ts'
import { ProviderLogoutRules } from './provider-logout/rules.ts'
import { quotaRoutes } from './quotas/routes.ts'
import { QuotaRules } from './quotas/rules.ts'
import { WrongProofs } from './sessions/wrong-proofs.ts'
import { factorWing } from './sessions/factors/factors.ts'
import type { PasswordCost } from './sessions/password-hash.ts'
import { Passwords } from './sessions/passwords.ts'
import { KnownDevices } from './sessions/known-devices.ts'
import { OwnProof } from './sessions/own-proof.ts'
import { PendingLinks } from './sessions/pending-links.ts'
import { PendingSignIns } from './sessions/pending-sign-in.ts'
import { ProviderClient } from './sessions/provider-client.ts'
import { providerRoutes } from './sessions/provider-routes.ts'
import { ProviderRules } from './sessions/provider-rules.ts'
import { ProviderSignOut } from './sessions/provider-sign-out.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { SessionRules } from './sessions/rules.ts'
import { GroupMembers } from './sign-in-rules/members.ts'
import { ProviderStateRules } from './sign-in-rules/provider-state.ts'
import { signInRulesRoutes } from './sign-in-rules/routes.ts'
import { SignInRulesRules } from './sign-in-rules/rules.ts'

/** Parts of the service that the identity wing uses. */
export interface IdentityParts {
  readonly database: Database
  readonly secrets: SecretBox
  /** Base address as clients know it. On a free port the address is known only once the service listens. */
  readonly publicUrl: () => string
  /** Sends mail; absent when the service sends none. */
  readonly outbox?: Outbox
  /** Replaces `fetch` for client id metadata documents. */
  readonly fetchDocument?: typeof globalThis.fetch
  /** Cost of the hash of a new password. Only tests choose less than the default; no setting can. */
  readonly passwordCost?: PasswordCost
}

interface IdentityOptions {
  readonly config: Pick<Config, 'signInProvider' | 'oauth'>
  /** Counts requests against the quota of their tenant. */
  readonly tenantRates: TenantRates
  /** Erases a person in all wings. */
  readonly eraseUser: EraseUser
  readonly findSite: FindSite
  /** Takes errors of work in the background. */
  readonly onError: (error: unknown) => void
}

/** Routes of the identity wing. The API's document lists routes of other wings between these groups. */
export interface IdentityWing {
  /** Routes to sign in, and to manage people and credentials. */
  readonly people: readonly RoutePlugin[]
  readonly factorResets: RoutePlugin
  /** Routes of the audit log, quotas, settings and sign-in rules of a tenant, and of the OAuth server. */
  readonly tenant: readonly RoutePlugin[]
  readonly passwords: Passwords
}

/** Makes the rules of the identity wing and the routes that call them. */
export function identityWing(
  parts: IdentityParts,
  { config, tenantRates, eraseUser, findSite, onError }: IdentityOptions,
): IdentityWing {
  const { database, secrets, publicUrl, outbox = null } = parts
  const passwords = new Passwords(parts.passwordCost)
  const sessions = new SessionRules({ database, publicUrl, onError, passwords })
  const devices = new KnownDevices(secrets)
  const links = new PendingLinks(database, secrets)
  const proof = new OwnProof(devices, links)
  const wrongProofs = new WrongProofs()
  const factors = factorWing({ database, sessions, secrets, publicUrl, proof, wrongProofs })
  const { confirmations } = factors
  const people = { database, sessions, passwords, confirmations, outbox, publicUrl, onError }
  const { signInProvider: outside } = config
  const provider = outside === null ? null : { ...outside, client: new ProviderClient(outside, Date.now) }
  const logoutTokens = provider === null ? null : new LogoutTokens(provider.client, provider.clientId, Date.now)

  const providerSignOut = provider === null ? null : new ProviderSignOut(secrets, provider.client)

  const signInAtProvider = (client: ProviderClient, signOut: ProviderSignOut): RoutePlugin => {
    const rules = new ProviderRules({
      database,
      members: new GroupMembers(database),
      client,
      sessions,
      publicUrl,
      sealIdToken: (idToken) => signOut.seal(idToken),
      onError,
    })
    return providerRoutes(rules, { pendings: new PendingSignIns(secrets, Date.now), links }, publicUrl)
  }

  return {
    people: [
      sessionRoutes(sessions, {
        publicUrl,
        devices,
        proof,
        providerSignOut,
        providerName: provider?.name ?? null,
        hasMail: outbox !== null,
      }),
      ...factors.plugins,
      profileRoutes(new ProfileRules({ ...people, wrongProofs }), publicUrl),
      userRoutes(new UserAdministration(database, eraseUser, confirmations)),
      userAccessRoutes(new UserAccessRules(database)),
      signInStatusRoutes(new SignInStatus(database)),
      invitationRoutes(new InvitationRules(people), publicUrl, devices),
      passwordResetRoutes(new PasswordResetRules(people), publicUrl, devices),
      ...(provider === null || providerSignOut === null ? [] : [signInAtProvider(provider.client, providerSignOut)]),
      providerLogoutRoutes(new ProviderLogoutRules({ database, tokens: logoutTokens, onError })),
      keyRoutes(new KeyAdministration({ database, findSite, confirmations })),
    ],
    factorResets: factorResetRoutes(new FactorResets(database, confirmations)),
    tenant: [
      auditRoutes(new AuditTrail(database)),
      quotaRoutes(new QuotaRules(database)),
      tenantSettingsRoutes(new TenantSettingsRules(database, confirmations)),
      signInRulesRoutes(
        new SignInRulesRules(database, confirmations),
        new ProviderStateRules({ database, provider, publicUrl }),
      ),
      ...oauthPlugins(
        { database, secrets, config: config.oauth, fetch: parts.fetchDocument },
        confirmations,
        publicUrl,
        tenantRates,
      ),
    ],
    passwords,
  }
}
