import { editDistance } from '../platform/edit-distance.ts'
import type { Environment } from './read-settings.ts'

/** Characters of a misspelt name at least: shorter names are too similar to variables of other programs. */
export const MISSPELT_LENGTH_MIN = 7
/** Edits between a misspelt name and a setting at most. */
export const MISSPELT_EDITS_MAX = 2
const SUGGESTION_EDITS_MAX = 3

/**
 * Returns a line for each variable that is no setting but looks like one, with the setting that was probably meant.
 * @param ownPrefixes prefixes that no other program uses
 */
export function unknownNames(env: Environment, settings: readonly string[], ownPrefixes: readonly string[]): string[] {
  return Object.keys(env)
    .filter((name) => !settings.includes(name))
    .filter((name) => ownPrefixes.some((prefix) => name.startsWith(prefix)) || isMisspelt(name, settings))
    .map((name) => `${name} is not a setting${suggestion(name, settings)}`)
}

/** Tells whether a variable without a prefix of the service is a misspelt setting. */
function isMisspelt(name: string, settings: readonly string[]): boolean {
  if (name.length < MISSPELT_LENGTH_MIN) return false
  return settings.some((setting) => editDistance(name, setting, MISSPELT_EDITS_MAX) >= 0)
}

/** Suggests the nearest setting within three edits, or else the only one that begins with the name. */
function suggestion(name: string, settings: readonly string[]): string {
  const [nearest] = settings
    .map((setting) => ({ setting, edits: editDistance(name, setting, SUGGESTION_EDITS_MAX) }))
    .filter(({ edits }) => edits >= 0)
    .toSorted((a, b) => a.edits - b.edits)
  const longer = settings.filter((setting) => setting.startsWith(name))
  const meant = nearest?.setting ?? (longer.length === 1 ? longer[0] : undefined)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}
