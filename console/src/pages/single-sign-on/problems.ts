import type { SignInRules } from './queries.ts'
import type { SingleSignOnWords } from './words.ts'

interface Problems {
  readonly createUsers: string | null
  /** Faults by the index of the group; null for a group without one. */
  readonly groups: readonly (string | null)[]
  readonly hasAny: boolean
}

/** Returns the faults of rules before they are sent, in words beside their places. */
export function problemsOf(rules: SignInRules, words: SingleSignOnWords): Problems {
  const createUsers =
    rules.create_users && rules.groups.length === 0 && rules.default_role === null
      ? words.people.createUsersNeedsRole
      : null
  const groups = rules.groups.map(({ group }, i) => {
    if (group.trim() === '') return words.groups.nameNeeded
    return rules.groups.findIndex((other) => other.group === group) < i ? words.groups.twice : null
  })
  return { createUsers, groups, hasAny: createUsers !== null || groups.some((each) => each !== null) }
}

/** Returns the effect of the rules, in sentences. */
export function outcomeOf(
  { create_users: createsUsers, groups, default_role: defaultRole }: SignInRules,
  { outcome }: SingleSignOnWords,
  roleNames: Readonly<Record<string, string>>,
): readonly string[] {
  const other = defaultRole === null ? null : (roleNames[defaultRole] ?? defaultRole)
  if (groups.length === 0) return [createsUsers && other !== null ? outcome.everybody(other) : outcome.known]
  return [
    outcome.groups,
    other === null ? outcome.nobodyElse : outcome.othersAs(other),
    ...(createsUsers ? [] : [outcome.accountNeeded]),
  ]
}
