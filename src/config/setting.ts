/** A form that the value of a setting has, such as a whole number between bounds. */
export interface Kind<T> {
  /** The allowed values in words: `a whole number from 0 to 65535`. */
  readonly allowed: string
  /** Whether no page, log or message may show the value. */
  readonly isSecret: boolean
  /**
   * Reads a value as an operator wrote it.
   * @throws Error with a message that continues "NAME …", and never repeats the value
   */
  readonly read: (raw: string) => T
}

/** The declaration of a setting, from which its reading, its type, its faults and its row in the documents follow. */
interface Declaration<T> {
  /** Name of the environment variable. */
  readonly name: string
  readonly kind: Kind<T>
  /** The purpose, in a sentence or two. */
  readonly meaning: string
  /** A value other than the default. A secret has none, because operators would copy it. */
  readonly example?: string
}

/** A setting of the service. */
export interface Setting<T> {
  readonly name: string
  readonly meaning: string
  readonly allowed: string
  readonly isSecret: boolean
  readonly example: string | null
  /** The default as an operator would write it; null where the value depends on other settings, or there is none. */
  readonly default: string | null
  /** The default for people to read: the value itself, or words where operators could write no value for it. */
  readonly defaultWords: string
  /**
   * Reads the value of the environment variable; undefined gives the default.
   * @throws Error with a message that continues "NAME …", and never repeats the value
   */
  readonly read: (raw: string | undefined) => T
}

/** Declares a setting with a default that an operator could write, too. */
export function setting<T>(declaration: Declaration<T> & { readonly default: string }): Setting<T>
/**
 * Declares a setting that is null when it is not set.
 * @param declaration with `defaultWords`, which say what applies then, in parentheses when it is no value
 */
export function setting<T>(declaration: Declaration<T> & { readonly defaultWords?: string }): Setting<T | null>
export function setting<T>({
  name,
  kind,
  meaning,
  example,
  default: text,
  defaultWords = '(unset)',
}: Declaration<T> & { readonly default?: string; readonly defaultWords?: string }): Setting<T | null> {
  return {
    name,
    meaning,
    allowed: kind.allowed,
    isSecret: kind.isSecret,
    example: example ?? null,
    default: text ?? null,
    defaultWords: text ?? defaultWords,
    read(raw) {
      const value = raw ?? text
      return value === undefined ? null : kind.read(value)
    },
  }
}

/** Settings by the names of their values in the config, which may be grouped there. */
export interface Settings {
  readonly [key: string]: Setting<unknown> | Settings
}

/** The values that settings are read to. */
export type ValuesOf<S> = S extends Setting<infer T> ? T : { readonly [K in keyof S]: ValuesOf<S[K]> }

/** Settings that belong together. */
export interface Topic<S extends Settings = Settings> {
  /** Heading in the documents. */
  readonly title: string
  /** Prefixes that only this service uses. An unknown variable with such a prefix is a typing error. */
  readonly ownPrefixes: readonly string[]
  readonly settings: S
}

/** Declares a topic, and keeps the type of each of its settings. */
export function topic<S extends Settings>(declaration: Topic<S>): Topic<S> {
  return declaration
}

/** Returns the settings of all groups in one list, in the order of their declaration. */
export function listSettings(settings: Settings): Setting<unknown>[] {
  return Object.values(settings).flatMap((each) => (isSetting(each) ? [each] : listSettings(each)))
}

/** Tells whether this is a setting rather than a group of settings. */
export function isSetting(each: Setting<unknown> | Settings): each is Setting<unknown> {
  return typeof each.read === 'function'
}
