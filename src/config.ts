import { openTelemetryIn } from './config/open-telemetry.ts'
import { type Environment, readSettings } from './config/read-settings.ts'
import { listSettings, type Setting } from './config/setting.ts'
import { BACKUP, type BackupConfig, backupConfig } from './config/topics/backup.ts'
import { BOOTSTRAP, type BootstrapConfig } from './config/topics/bootstrap.ts'
import { CHECKS } from './config/topics/checks.ts'
import { DATA, type DataConfig, dataConfig } from './config/topics/data.ts'
import { EMBEDDING, type EmbeddingConfig } from './config/topics/embedding.ts'
import { LIMITS, type LimitsConfig } from './config/topics/limits.ts'
import { LISTENING, type ListeningConfig, listeningConfig } from './config/topics/listening.ts'
import { LOG, type LogConfig } from './config/topics/log.ts'
import { MAIL, type MailConfig } from './config/topics/mail.ts'
import { OAUTH, type OAuthConfig } from './config/topics/oauth.ts'
import { SEARCH, type SearchConfig, searchConfig } from './config/topics/search.ts'
import { SIGN_IN, type SignInProviderConfig, signInProvider } from './config/topics/sign-in.ts'
import { unknownNames } from './config/unknown-names.ts'
import { allSet } from './config/values.ts'

/** The topics of the settings, in the order of the documents. */
export const TOPICS = [
  LISTENING,
  DATA,
  BOOTSTRAP,
  OAUTH,
  SIGN_IN,
  MAIL,
  EMBEDDING,
  LOG,
  LIMITS,
  SEARCH,
  BACKUP,
] as const

/** All settings, in the order of the documents. */
export const SETTINGS: readonly Setting<unknown>[] = TOPICS.flatMap(({ settings }) => listSettings(settings))

/** Prefixes that only this service uses. An unknown variable with such a prefix is a typing error. */
export const OWN_PREFIXES: readonly string[] = TOPICS.flatMap(({ ownPrefixes }) => ownPrefixes)

/** The values of all settings, checked once at the start. */
export interface Config extends ListeningConfig, DataConfig, LogConfig, LimitsConfig, SearchConfig {
  readonly bootstrap: BootstrapConfig
  readonly oauth: OAuthConfig
  /** How the service sends mail; null when it shows links to be copied instead. */
  readonly mail: MailConfig | null
  /** The outside OpenID provider that people may sign in with; null without one. */
  readonly signInProvider: SignInProviderConfig | null
  readonly embedding: EmbeddingConfig
  readonly backup: BackupConfig
  /** The standard variables of OpenTelemetry; null where none turns it on. */
  readonly openTelemetry: Readonly<Record<string, string>> | null
}

/** Tells that settings are faulty, in a line for each, ready to print. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly lines: readonly string[]
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

/**
 * Reads and checks all settings at once. An empty variable counts as unset.
 * @throws ConfigError that names every faulty variable, but never a value, because it may be a secret
 */
export function readConfig(env: Environment): Config {
  const { faults, valuesOf } = readSettings(env, SETTINGS, CHECKS)
  const names = SETTINGS.map(({ name }) => name)
  const lines = [...unknownNames(env, names, OWN_PREFIXES), ...faults]
  if (lines.length > 0) throw new ConfigError(lines)
  const data = dataConfig(valuesOf(DATA.settings))
  return {
    ...listeningConfig(valuesOf(LISTENING.settings)),
    ...data,
    bootstrap: valuesOf(BOOTSTRAP.settings),
    oauth: valuesOf(OAUTH.settings),
    signInProvider: signInProvider(valuesOf(SIGN_IN.settings)),
    mail: allSet(valuesOf(MAIL.settings)),
    embedding: valuesOf(EMBEDDING.settings),
    ...valuesOf(LOG.settings),
    ...valuesOf(LIMITS.settings),
    ...searchConfig(valuesOf(SEARCH.settings)),
    backup: backupConfig(valuesOf(BACKUP.settings), data.dataDir),
    openTelemetry: openTelemetryIn(env),
  }
}
